import type { Static } from 'typebox'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import type { ConnectionSettings } from '../settings.ts'
import { catalogue, settingsOf } from './catalogue.ts'
import type { Provider } from './provider.ts'
import { icon } from './provider.ts'

/** A provider, and the platform as its client. */
export interface Configured extends Provider {
  readonly clientId: string | undefined
  readonly clientSecret: string | undefined
  /** Environment variables that are missing. */
  readonly missing: readonly string[]
}

const Text = Type.String({ minLength: 1, maxLength: 500 })
const Url = Type.String({ pattern: '^https?://[^\\s#]+$', maxLength: 2_000 })
const Texts = Type.Record(Type.String(), Type.String({ maxLength: 500 }))
const Pointer = Type.Array(Type.String({ pattern: '^/' }), { minItems: 1, maxItems: 5 })
const closed = { additionalProperties: false }

const Given = Type.Object(
  {
    key: Type.String({ pattern: '^[a-z][a-z0-9-]{0,39}$' }),
    name: Text,
    clientId: Text,
    clientSecret: Type.Optional(Text),
    authorizationUrl: Url,
    tokenUrl: Url,
    issuer: Type.Optional(Url),
    sendsIssuer: Type.Optional(Type.Boolean()),
    hosts: Type.Array(Type.String({ pattern: '^(\\*\\.)?[a-z0-9.-]+(:\\d{1,5})?$' }), { maxItems: 50 }),
    scopes: Type.Optional(
      Type.Array(
        Type.Object({ name: Text, description: Text, isDefault: Type.Optional(Type.Boolean()) }, closed),
        { maxItems: 200 }
      )
    ),
    auth: Type.Optional(Type.Enum(['basic', 'post', 'none'])),
    account: Type.Optional(
      Type.Object(
        {
          url: Url,
          method: Type.Optional(Type.Enum(['GET', 'POST'])),
          headers: Type.Optional(Texts),
          body: Type.Optional(Type.String()),
          label: Pointer,
          id: Pointer
        },
        closed
      )
    ),
    revocation: Type.Optional(
      Type.Object({ url: Url, style: Type.Enum(['rfc7009', 'json', 'bearer', 'github', 'hubspot']) }, closed)
    ),
    params: Type.Optional(Texts),
    headers: Type.Optional(Texts),
    scopeParam: Type.Optional(Text),
    scopeSeparator: Type.Optional(Type.Enum([' ', ','])),
    jsonRequests: Type.Optional(Type.Boolean()),
    tokensAt: Type.Optional(Type.String({ pattern: '^/' })),
    errors: Type.Optional(Texts)
  },
  closed
)

const wrong = (what: string) => new Error(`OAUTH_PROVIDERS ${what}`)

/** Those of the catalogue, and those of the settings; throws for what it does not understand, so that the pack does not start. */
export function configuredProviders(
  settings: ConnectionSettings,
  production: boolean
): ReadonlyMap<string, Configured> {
  const given = parse(settings.providers).map((it) => ofSettings(it, production))
  const values = settings as unknown as Readonly<Record<string, string | undefined>>
  const all = [...catalogue.map((it) => ofCatalogue(it, values)), ...given]
  return new Map(all.map((it) => [it.key, it]))
}

function ofCatalogue(provider: Provider, values: Readonly<Record<string, string | undefined>>): Configured {
  const names = settingsOf(provider.key)
  const [clientId, clientSecret] = [values[names.clientId.name], values[names.clientSecret.name]]
  const missing = [
    ...(clientId === undefined ? [names.clientId.env] : []),
    ...(clientSecret === undefined ? [names.clientSecret.env] : [])
  ]
  return { ...provider, clientId, clientSecret, missing }
}

function ofSettings(
  { scopes = [], auth, clientSecret, ...provider }: Static<typeof Given>,
  production: boolean
): Configured {
  const { key, name, account, revocation, authorizationUrl, tokenUrl } = provider
  for (const url of [authorizationUrl, tokenUrl, account?.url, revocation?.url])
    if (url !== undefined && production && !url.startsWith('https:'))
      throw wrong(`has an address of ${key} that is not https`)
  return {
    ...provider,
    icon: icon(
      name
        .slice(0, 1)
        .toUpperCase()
        .replace(/[^A-Z0-9]/, '?'),
      '#4a5568'
    ),
    scopes: scopes.map(({ isDefault = false, ...scope }) => ({ ...scope, isDefault })),
    auth: auth ?? (clientSecret === undefined ? 'none' : 'basic'),
    clientSecret,
    missing: []
  } as Configured
}

function parse(text: string | undefined): Static<typeof Given>[] {
  if (text === undefined || text.trim() === '') return []
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    throw wrong('is no JSON')
  }
  if (!Array.isArray(parsed)) throw wrong('must be a list of providers')
  return parsed.map((it, index) => {
    if (Value.Check(Given, it)) return it
    // Where it is wrong, and not what stands there: a secret may.
    const [fault] = Value.Errors(Given, it)
    throw wrong(`is wrong at /${index}${fault?.instancePath ?? ''}: ${fault?.message ?? ''}`)
  })
}
