import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, parseAllDocuments } from 'yaml'
import { root } from '../../../kernel/deployment.ts'
import type { Manifest } from '../kinds.ts'

export const chart = join(root, 'deploy/helm/agent-platform')
export const textOf = (name: string) => readFileSync(join(chart, name), 'utf8')
export type Values = Readonly<Record<string, unknown>>

/** A release as `helm install` is told of it. */
export interface Release {
  readonly name: string
  readonly namespace: string
  readonly values: Values
}
export type Rendered = { readonly files: Readonly<Record<string, string>> } | { readonly error: string }

/** Of all that decides what comes out. */
export function digestOfChart(releases: unknown): string {
  const hash = createHash('sha256').update(JSON.stringify(releases))
  for (const path of globSync('{Chart.yaml,values.yaml,templates/*}', { cwd: chart }).sort())
    hash.update(`${path}\0${textOf(path)}\0`)
  return hash.digest('hex').slice(0, 16)
}

/** Where Debian puts the packages of Go that it is made of. */
const GOPATH = '/usr/share/gocode'
const sources = ['github.com/Masterminds/sprig', 'sigs.k8s.io/yaml']

/** Why templates cannot be rendered here; undefined where they can. */
export const noRenderer = (): string | undefined =>
  spawnSync('go', ['version']).status === 0 && sources.every((name) => existsSync(join(GOPATH, 'src', name)))
    ? undefined
    : 'golang-go, golang-github-masterminds-sprig-dev and golang-k8s-sigs-yaml-dev are not all installed'

export function render(releases: readonly Release[]): readonly Rendered[] {
  const { status, stdout, stderr } = spawnSync('go', ['run', join(import.meta.dirname, 'render.go'), chart], {
    input: JSON.stringify(releases),
    encoding: 'utf8',
    maxBuffer: 16_777_216,
    env: { ...process.env, GO111MODULE: 'off', GOPATH }
  })
  if (status !== 0) throw new Error(stderr)
  return JSON.parse(stdout)
}

/** The objects of a text of several documents. */
export const objectsOf = (text: string): Manifest[] =>
  parseAllDocuments(text).flatMap((document) => {
    if (document.errors.length > 0) throw document.errors[0]
    return (document.toJS() as Manifest | null) ?? []
  })

/** Values with what was given over the chart's own, as far as maps go. */
export function withDefaults(given: Values, defaults: Values = parse(textOf('values.yaml'))): Values {
  const isMap = (it: unknown): it is Values => typeof it === 'object' && it !== null && !Array.isArray(it)
  const whole: Record<string, unknown> = { ...defaults }
  for (const [key, value] of Object.entries(given)) {
    const before = whole[key]
    whole[key] = isMap(value) && isMap(before) ? withDefaults(value, before) : value
  }
  return whole
}
