import { Data, OrNull, Page, Paging } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'

export const ScopeShown = Type.Object(
  {
    name: Type.String({ examples: ['repo'] }),
    description: OrNull(Type.String({ description: 'In plain words, where they are known' })),
    isDefault: Type.Boolean({ description: 'Asked for where a caller names none' })
  },
  { title: 'OAuthScope' }
)
export const OAuthProvider = Type.Object(
  {
    key: Type.String({ examples: ['github'] }),
    name: Type.String({ examples: ['GitHub'] }),
    icon: Type.String({ description: 'An image, as SVG' }),
    scopes: Type.Array(ScopeShown),
    hosts: Type.Array(Type.String(), { description: 'Where its tokens may be sent, and nowhere else' }),
    callbackUrl: Type.String({ description: 'What the provider is told as the redirect address' }),
    isConfigured: Type.Boolean({ description: 'Whether the platform is a client there' }),
    missing: Type.Array(Type.String(), { description: 'Settings without which it is not' })
  },
  { title: 'OAuthProvider' }
)
export type OAuthProvider = Static<typeof OAuthProvider>

const tags = ['connections']
export const listProviders = {
  tags,
  summary: 'List providers',
  querystring: Type.Object({ ...Paging }),
  response: { 200: Page(OAuthProvider) }
}
export const readProvider = {
  tags,
  summary: 'Get a provider',
  params: Type.Object({ providerKey: Type.String() }),
  response: { 200: Data(OAuthProvider) }
}
