import type { TOptional, TString } from 'typebox'
import { Type } from 'typebox'
import { catalogue, settingsOf } from './catalogue/catalogue.ts'

const clients: Record<string, TOptional<TString>> = {}
for (const { key, name } of catalogue) {
  const { clientId, clientSecret } = settingsOf(key)
  clients[clientId.name] = Type.Optional(
    Type.String({
      env: clientId.env,
      pattern: '^[\\x21-\\x7e]{1,500}$',
      description: `Id of the platform as a client of ${name}`
    })
  )
  clients[clientSecret.name] = Type.Optional(
    Type.String({
      env: clientSecret.env,
      pattern: '^[\\x21-\\x7e]{1,1000}$',
      secret: true,
      description: `Secret of the platform as a client of ${name}`
    })
  )
}

export const ConnectionSettings = Type.Object({
  ...clients,
  providers: Type.Optional(
    Type.String({
      env: 'OAUTH_PROVIDERS',
      maxLength: 200_000,
      secret: true,
      description: 'Further providers, as a JSON list; one with a key of the catalogue stands in its place'
    })
  ),
  returnUrls: Type.String({
    env: 'OAUTH_RETURN_URLS',
    maxLength: 10_000,
    default: '',
    description:
      'Origins, comma-separated, to which people may be sent back after connecting, beside the platform’s own'
  }),
  providerSeconds: Type.Integer({
    env: 'OAUTH_PROVIDER_SECONDS',
    minimum: 1,
    maximum: 60,
    default: 15,
    description: 'Seconds that a provider may take for one answer'
  })
})
/** Client ids and secrets go by names that are made of the catalogue. */
export interface ConnectionSettings {
  readonly providers?: string
  readonly returnUrls: string
  readonly providerSeconds: number
}
