import type { TObject } from 'typebox'
import { Type } from 'typebox'

const tags = ['identity']
const Text = Type.String()
const html = (description: string) => ({
  200: { description, content: { 'text/html': { schema: Text } } },
  303: { description: 'Goes on' },
  default: { description: 'A page that says what is wrong', content: { 'text/html': { schema: Text } } }
})
const json = (description: string) => ({
  200: {
    description,
    content: { 'application/json': { schema: Type.Object({}, { additionalProperties: true }) } }
  },
  default: {
    description: 'An error of OAuth 2.0',
    content: { 'application/json': { schema: Type.Object({}, { additionalProperties: true }) } }
  }
})
const open = Type.Object({}, { additionalProperties: true })
/** What OAuth 2.0 and OpenID Connect say: their requests are theirs, and so are the replies. */
const protocol = (summary: string, response: object, params?: object) => ({
  tags,
  summary,
  querystring: open,
  ...(params && { params }),
  response
})
const uid = Type.Object({ uid: Type.String() })

export const discovery = protocol('Read what the identity provider serves', json('OpenID Connect discovery'))
export const metadata = protocol('Read the metadata of the authorization server', json('RFC 8414'))
export const keys = protocol('List the public keys by which tokens are signed', json('A JSON Web Key Set'))
export const authorize = protocol('Begin to sign in with an application', html('A page'))
export const resumeAuthorize = protocol('Go on to an application after signing in', html('A page'), uid)
export const token = protocol('Exchange a code, a device code or a refresh token for tokens', json('Tokens'))
export const revoke = protocol('Revoke a refresh token', json('Revoked'))
export const deviceAuthorization = protocol('Begin to sign in with a program', json('Codes'))
export const device = protocol('Show where the code of a program is entered', html('A page'))
export const enterDevice = protocol('Enter the code of a program', html('A page'))
export const resumeDevice = protocol('Go on to a program after signing in', html('A page'), uid)

const page = <P extends TObject>(summary: string, params: P) => ({
  tags,
  summary,
  params,
  response: html('A page')
})
export const showInteraction = page('Show what a person is asked while signing in', uid)
export const signIn = page('Sign in by password', uid)
export const signInByPasskey = page('Sign in by passkey', uid)
const way = Type.Object({ uid: Type.String(), key: Type.String() })
export const beginUpstream = page('Begin to sign in by a provider elsewhere', way)
export const finishUpstream = {
  ...page('Sign in by a provider elsewhere', way),
  querystring: open
}
export const returnUpstream = {
  ...page('Come back from a provider elsewhere', Type.Object({ key: Type.String() })),
  querystring: open
}
export const consent = page('Let an application in, or refuse it', uid)
const code = Type.Object({ code: Type.String() })
export const showInvitation = page('Show an invitation', code)
export const acceptInvitation = page('Accept an invitation', code)
export const showPasswordReset = page('Show where a new password is set', code)
export const usePasswordReset = page('Set a new password by a link', code)
