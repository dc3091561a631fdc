import type { Draft } from '../credential-injection.ts'
import type { HttpConfig } from './config.ts'
import { isHeaderValue, partsOf } from './config.ts'
import type { Args } from './template.ts'
import { fillJson, fillList, fillText, namesIn } from './template.ts'

export interface Request extends Draft {
  readonly method: string
  /** The body as it is sent, once keys have been injected. */
  body(): string | undefined
}

/** A request as the config has it for these arguments, or one line that says why there is none. */
export function requestOf(config: HttpConfig, args: Args): Request | string {
  if (sizeOf(config, args) > MAX_SIZE)
    return 'The request would be too large: arguments stand in it too often'
  const url = addressOf(config, args)
  if (typeof url === 'string') return url
  const headers = new Headers({ accept: 'application/json, text/*;q=0.9, */*;q=0.5' })
  for (const [name, template] of Object.entries(config.headers ?? {})) {
    const value = fillText(template, args)
    if (value === undefined) continue
    if (!isHeaderValue(value)) return `What stands in the header ${name} must be printable and on one line`
    headers.set(name, value)
  }
  const json = config.body === undefined ? undefined : fillJson(config.body, args)
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(headers.get('content-type') ?? '')
  const mayHaveBody = !/^(?:GET|HEAD)$/.test(config.method)
  const isObject = typeof json === 'object' && json !== null && !Array.isArray(json)
  const fields = isObject
    ? (json as Record<string, unknown>)
    : json === undefined && mayHaveBody
      ? {}
      : undefined
  const hasBody = json !== undefined
  return {
    method: config.method,
    url,
    headers,
    fields,
    body() {
      const value = fields ?? json
      if (!hasBody && Object.keys(fields ?? {}).length === 0) return undefined
      if (isForm && fields) return formOf(fields)
      if (!headers.has('content-type')) headers.set('content-type', 'application/json')
      return JSON.stringify(value)
    }
  }
}

const MAX_SIZE = 8_388_608

/** Characters of the arguments, each as often as it stands in the request. */
function sizeOf(config: HttpConfig, args: Args): number {
  const sizes = new Map<string, number>()
  for (const [name, value] of Object.entries(args)) sizes.set(name, JSON.stringify(value)?.length ?? 0)
  return namesIn(config).reduce((sum, name) => sum + (sizes.get(name) ?? 0), 0)
}

/** A step up or down in the path would lead to another address than the one that its author wrote. */
const STEP = /^(?:\.|%2e){1,2}$/i

function addressOf({ url: template, query = {} }: HttpConfig, args: Args): URL | string {
  const parts = partsOf(template)
  if (!parts) return 'The tool has no valid address'
  let empty: string | undefined
  const path = fillText(parts.path, args, (text, name) => {
    if (text === '') empty = name
    return encodeURIComponent(text.toWellFormed())
  })
  if (path === undefined) return 'An argument of the address is missing'
  if (empty !== undefined) return `/${empty} must not be empty`
  if (path.split('/').some((segment) => STEP.test(segment))) return 'No part of the address may be . or ..'
  const url = new URL(parts.origin + path + parts.query)
  for (const [name, value] of Object.entries(query))
    for (const text of typeof value === 'string' ? fillList(value, args) : [String(value)])
      url.searchParams.append(name, text)
  return url
}

function formOf(fields: Readonly<Record<string, unknown>>): string {
  const form = new URLSearchParams()
  for (const [name, value] of Object.entries(fields))
    for (const item of [value].flat())
      form.append(name, typeof item === 'object' ? JSON.stringify(item) : String(item))
  return form.toString()
}
