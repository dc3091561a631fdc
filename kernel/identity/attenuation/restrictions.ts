import { isScope } from '../scopes.ts'

/** What one block of a token takes away, as it is written there. Whatever is left out stays as it was. */
export interface Restrictions {
  /** ISO 8601 in UTC: good for nothing from then on, by the clock of the server. */
  readonly expires?: string
  readonly scopes?: readonly string[]
  /** Ids: these agents and what belongs to them, and nothing else. */
  readonly agents?: readonly string[]
  /** Names or ids: no other tool is called in runs that begin with it. */
  readonly tools?: readonly string[]
  /** `host`, `*.host` or `host:port`: what calls of tools in its runs connect to. */
  readonly hosts?: readonly string[]
  /** Credits, a decimal: what its runs cost in total. */
  readonly spend?: string
}

/** So many entries has a list, and so many characters an entry. */
const MOST = 100
const LONGEST = 200
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?Z$/
const AMOUNT = /^\d{1,10}(?:\.\d{1,6})?$/
/** In lower case, as addresses are compared: a name, or an address with IPv6 in brackets. */
const HOST = /^(?:\*\.)?(?:[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?|\[[\da-f:.]+\])(?::\d{1,5})?$/

const listOf =
  (isEntry: (text: string) => boolean) =>
  (value: unknown): boolean =>
    Array.isArray(value) &&
    value.length <= MOST &&
    value.every((it) => typeof it === 'string' && it.length <= LONGEST && isEntry(it))
const textOf =
  (isText: (text: string) => boolean) =>
  (value: unknown): boolean =>
    typeof value === 'string' && isText(value)

const visible = (text: string) => /^[\x21-\x7e]+$/.test(text)

/** Every restriction that there is. */
const KNOWN: Readonly<Record<keyof Restrictions, (value: unknown) => boolean>> = {
  expires: textOf((text) => TIME.test(text) && !Number.isNaN(Date.parse(text))),
  scopes: listOf(isScope),
  agents: listOf(visible),
  tools: listOf(visible),
  hosts: listOf((text) => HOST.test(text)),
  spend: textOf((text) => AMOUNT.test(text))
}

/** Undefined where it is no JSON object, or has a member that is not known or not of its form: what is not understood restricts most. */
export function readRestrictions(text: string): Restrictions | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const isKnown = ([name, it]: [string, unknown]) =>
    Object.hasOwn(KNOWN, name) && KNOWN[name as keyof Restrictions](it)
  return Object.entries(value).every(isKnown) ? (value as Restrictions) : undefined
}
