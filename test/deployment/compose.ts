import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { root } from '../../kernel/deployment.ts'

export interface Service {
  readonly image?: string
  readonly build?: string
  readonly environment?: Readonly<Record<string, string | null>>
  readonly networks?: readonly string[]
  readonly depends_on?: Readonly<Record<string, { condition: string }>>
  readonly volumes?: readonly string[]
  readonly ports?: readonly string[]
  readonly healthcheck?: { readonly test: readonly string[] }
  readonly user?: string
  readonly restart?: string
  readonly read_only?: boolean
  readonly cap_drop?: readonly string[]
  readonly security_opt?: readonly string[]
  readonly stop_grace_period?: string
}
export interface Compose {
  readonly services: Readonly<Record<string, Service>>
  readonly networks: Readonly<Record<string, { internal?: boolean } | null>>
  readonly volumes: Readonly<Record<string, unknown>>
}

export const composeText = (): string => readFileSync(join(root, 'compose.yaml'), 'utf8')
export const readCompose = (text = composeText()): Compose => parse(text, { merge: true })

/** A variable as a text refers to it. */
export interface Reference {
  readonly name: string
  /** `:-` gives a default, `:?` refuses with a message. */
  readonly how: string
  readonly word: string
}
const reference = /\$\{(\w+)(?:(:[-?])([^}]*))?\}/g

export const referencesIn = (text: string): readonly Reference[] =>
  [...text.matchAll(reference)].map(([, name = '', how = '', word = '']) => ({ name, how, word }))

/** What a service's environment becomes with what `.env` says; throws what compose would say. */
export function environmentOf({ environment = {} }: Service, given: Readonly<Record<string, string>>) {
  const filled = Object.entries(environment).flatMap(([name, text]) => {
    if (text === null) return given[name] === undefined ? [] : [[name, given[name]]]
    const value = String(text).replace(reference, (_, name: string, how?: string, word = '') => {
      if (given[name]) return given[name]
      if (how === ':?') throw new Error(`required variable ${name} is missing a value: ${word}`)
      return word
    })
    return [[name, value]]
  })
  return Object.fromEntries(filled) as Record<string, string>
}
