import { Closed, Data, Deleted, OrNull, Page, Paging, Time } from 'agent-platform'
import { Type } from 'typebox'
import { Foreign } from './passkeys.ts'
import { Person } from './people.ts'

const tags = ['identity']
const Password = Type.String({ minLength: 10, maxLength: 400 })
const Account = Type.Object(
  {
    id: Type.String(),
    issuer: Type.String({ description: 'The provider', examples: ['https://accounts.google.com'] }),
    subject: Type.String({ description: 'What the account is called there' }),
    createdAt: Time
  },
  { title: 'LinkedAccount' }
)
const Session = Type.Object(
  {
    id: Type.String(),
    kind: Type.Enum(['browser', 'program'], { description: 'In the console, or a program that was let in' }),
    name: OrNull(Type.String({ examples: ['Firefox on Linux'] })),
    projectId: OrNull(Type.String({ description: 'In which a program works' })),
    isCurrent: Type.Boolean({ description: 'Whether it is the one that asks' }),
    authenticatedAt: OrNull(Time),
    renewedAt: OrNull(Time),
    expiresAt: Time,
    createdAt: Time
  },
  { title: 'PersonSession' }
)

export const beginConfirmation = {
  tags,
  summary: 'Start re-authentication with a passkey',
  response: {
    201: Data(
      Type.Object(
        {
          publicKey: Foreign(
            'For `PublicKeyCredential.parseRequestOptionsFromJSON`; good once, for five minutes'
          )
        },
        { title: 'ConfirmationRequest' }
      )
    ),
    503: {}
  }
}
export const confirm = {
  tags,
  summary: 'Confirm who one is',
  description:
    'Before a person changes how it signs in, where it has not signed in lately (403 `confirmation_required`).',
  body: Closed({
    password: Type.Optional(Type.String({ minLength: 1, maxLength: 400 })),
    response: Type.Optional(Foreign('`toJSON()` of what `navigator.credentials.get` gave'))
  }),
  response: {
    200: Data(Type.Object({ confirmedUntil: Time }, { title: 'Confirmation' }))
  }
}
export const changePassword = {
  tags,
  summary: 'Change the password of the caller',
  description: 'Signs the person out everywhere else.',
  body: Closed({ password: Password }),
  response: { 200: Data(Person) }
}
export const listAccounts = {
  tags,
  summary: 'List accounts elsewhere by which the caller signs in',
  querystring: Type.Object(Paging),
  response: { 200: Page(Account) }
}
export const unlinkAccount = {
  tags,
  summary: 'Unlink an account elsewhere',
  params: Type.Object({ accountId: Type.String() }),
  response: { 200: Deleted, 409: {} }
}
const personId = Type.String()
export const listAccountsOfPerson = {
  tags,
  summary: 'List accounts elsewhere by which a person signs in',
  params: Type.Object({ personId }),
  querystring: Type.Object(Paging),
  response: { 200: Page(Account) }
}
export const unlinkAccountOfPerson = {
  tags,
  summary: 'Unlink an account elsewhere from a person',
  params: Type.Object({ personId, accountId: Type.String() }),
  response: { 200: Deleted, 409: {} }
}
export const releaseAddress = {
  tags,
  summary: 'Release the e-mail address of a person',
  description:
    'Another person may be invited by it then. The password goes with it; what else the person signs in by stays.',
  params: Type.Object({ personId }),
  response: { 200: Data(Person), 409: {} }
}
export const listSessions = {
  tags,
  summary: 'List where the caller is signed in',
  querystring: Type.Object(Paging),
  response: { 200: Page(Session) }
}
export const endSession = {
  tags,
  summary: 'Sign out of a browser or a program',
  params: Type.Object({ sessionId: Type.String() }),
  response: { 200: Deleted }
}
export const endOtherSessions = {
  tags,
  summary: 'Sign out everywhere else',
  response: {
    200: Data(
      Type.Object({ ended: Type.Integer({ description: 'How many sessions' }) }, { title: 'EndedSessions' })
    )
  }
}
