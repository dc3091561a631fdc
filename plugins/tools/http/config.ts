import { compileSchema, invalid, pointerToken } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import type { Outgoing } from '../../outgoing/contract.ts'
import { faultOfHeader } from '../credential-injection.ts'
import { namesIn } from './template.ts'

const closed = { additionalProperties: false }
const few = { maxProperties: 50 }
const HttpConfig = Type.Object(
  {
    method: Type.Enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']),
    url: Type.String({ maxLength: 4_000 }),
    headers: Type.Optional(Type.Record(Type.String(), Type.String({ maxLength: 4_000 }), few)),
    query: Type.Optional(
      Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()]), few)
    ),
    body: Type.Optional(Type.Unknown()),
    timeoutSeconds: Type.Optional(Type.Integer({ minimum: 1, maximum: 600 })),
    response: Type.Optional(Type.Object({ pointer: Type.String({ pattern: '^(?:/[^/]*)*$' }) }, closed))
  },
  closed
)
export type HttpConfig = Static<typeof HttpConfig>

const MAX_LENGTH = 65_536
const checkShape = compileSchema(HttpConfig)
/** Scheme and host are the choice of the tool's author alone. */
const ADDRESS = /^(https?:\/\/[^/?#{}\\\s]+)(\/[^?#\\\s]*)?(\?[^#{}\s]*)?$/i

const fault = (pointer: string, text: string) => invalid(`/config${pointer}`, `/config${pointer} ${text}`)

/** The parts of an address: what is literal, the path with names of arguments, what is literal again. */
export function partsOf(url: string): { origin: string; path: string; query: string } | undefined {
  const [, origin, path = '/', query = ''] = ADDRESS.exec(url) ?? []
  return origin === undefined ? undefined : { origin, path, query }
}

/** 400 for what is no request that could be made with these arguments. */
export function checkConfig(config: object, parameters: object, outgoing: Outgoing): HttpConfig {
  if (JSON.stringify(config).length > MAX_LENGTH)
    throw fault('', `must not be longer than ${MAX_LENGTH} characters`)
  const wrong = checkShape(config)
  if (wrong) throw fault(wrong.at, wrong.text)
  const checked = config as HttpConfig
  checkAddress(checked, outgoing)
  checkHeaders(checked)
  if (checked.body !== undefined && /^(?:GET|HEAD)$/.test(checked.method))
    throw fault('/body', `must be left out of a ${checked.method} request`)
  checkNames(checked, parameters as Parameters)
  return checked
}

function checkAddress({ url }: HttpConfig, outgoing: Outgoing): void {
  const parts = partsOf(url)
  if (!parts)
    throw fault(
      '/url',
      'must be an http or https address; arguments may stand in its path, no other part of it'
    )
  outgoing.check(`${parts.origin}/`, '/config/url')
  outgoing.check(url, '/config/url')
}

function checkHeaders({ headers = {} }: HttpConfig): void {
  for (const [name, value] of Object.entries(headers)) {
    const pointer = `/headers/${pointerToken(name)}`
    const wrong = faultOfHeader(name)
    if (wrong) throw fault(pointer, wrong)
    if (/^authorization$/i.test(name)) throw fault(pointer, 'is for a tool key, mapped to the tool')
    if (!isHeaderValue(value)) throw fault(pointer, 'must be printable and on one line')
  }
}
export const isHeaderValue = (text: string): boolean => /^[\t\x20-\x7e\x80-\xff]*$/.test(text)

interface Parameters {
  readonly properties?: Readonly<Record<string, unknown>>
  readonly required?: readonly string[]
}

/** Each name that is used is declared, and each that is declared is used: a misspelt one is seen at once. */
function checkNames({ method: _, ...config }: HttpConfig, { properties = {}, required = [] }: Parameters) {
  const { url, headers = {}, query = {}, body } = config
  const used = new Set<string>()
  for (const [part, template] of Object.entries({ url, headers, query, body }))
    for (const name of namesIn(template)) {
      if (!Object.hasOwn(properties, name))
        throw fault(`/${part}`, `names the argument ${JSON.stringify(name)}, which parameters do not declare`)
      if (part === 'url' && !required.includes(name))
        throw fault('/url', `names the argument ${JSON.stringify(name)}, which parameters do not require`)
      used.add(name)
    }
  for (const name of Object.keys(properties))
    if (!used.has(name)) {
      const pointer = `/parameters/properties/${pointerToken(name)}`
      throw invalid(pointer, `${pointer} is used nowhere in the config`)
    }
}
