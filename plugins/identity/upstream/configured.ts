import { Type } from 'typebox'
import { Value } from 'typebox/value'

const Key = Type.String({ pattern: '^[a-z0-9-]{1,40}$' })
const Text = Type.String({ minLength: 1, maxLength: 1_000 })
const Address = Type.String({ pattern: '^https?://', maxLength: 1_000 })
const common = {
  key: Key,
  name: Text,
  clientId: Text,
  clientSecret: Type.Optional(Text),
  /** Whose addresses of these domains come in without an invitation. */
  domains: Type.Optional(Type.Array(Type.String({ pattern: '^[a-z0-9.-]+\\.[a-z]+$' }), { maxItems: 100 }))
}
const OpenId = Type.Object({ ...common, issuer: Address }, { additionalProperties: false })
/** Providers that know OAuth 2.0 alone, as GitHub does: an account and its addresses are asked for by two requests. */
const OAuth2 = Type.Object(
  {
    ...common,
    authorizationUrl: Address,
    tokenUrl: Address,
    /** `{ id, name?, login? }`. */
    userUrl: Address,
    /** A list of `{ email, primary, verified }`. */
    emailsUrl: Address,
    scope: Text,
    /** What `prompt` says where the person is to be asked there, of a provider that knows one. */
    freshPrompt: Type.Optional(Type.String({ pattern: '^[a-z_]{1,40}$' }))
  },
  { additionalProperties: false }
)
export type OpenId = Type.Static<typeof OpenId>
export type OAuth2 = Type.Static<typeof OAuth2>

const GITHUB = {
  name: 'GitHub',
  authorizationUrl: 'https://github.com/login/oauth/authorize',
  tokenUrl: 'https://github.com/login/oauth/access_token',
  userUrl: 'https://api.github.com/user',
  emailsUrl: 'https://api.github.com/user/emails',
  scope: 'read:user user:email',
  // It knows no other: who is signed in there chooses the account.
  freshPrompt: 'select_account'
}

/** The providers of the setting. Throws, naming what is wrong, for one that is none. */
export function upstreamIn(setting: string): readonly (OpenId | OAuth2)[] {
  let given: unknown
  try {
    given = JSON.parse(setting)
  } catch {
    throw new Error('upstream must be JSON')
  }
  if (!Array.isArray(given)) throw new Error('upstream must be a list')
  const all = given.map((one): OpenId | OAuth2 => {
    const whole = one?.key === 'github' && !('issuer' in one) ? { ...GITHUB, ...one } : one
    if (Value.Check(OpenId, whole) || Value.Check(OAuth2, whole)) return whole
    throw new Error(
      'each of upstream has a key, a name, a clientId and an issuer, or the addresses of OAuth 2.0'
    )
  })
  if (new Set(all.map(({ key }) => key)).size < all.length)
    throw new Error('each of upstream has a key of its own')
  return all
}
