import { Closed, Data, Deleted, OrNull, Page, Paging, Time } from 'agent-platform'
import { Type } from 'typebox'

export const Email = Type.String({ format: 'email', maxLength: 254, examples: ['ada@example.com'] })
export const Person = Type.Object(
  {
    id: Type.String(),
    email: Type.String(),
    name: Type.String(),
    isOperator: Type.Boolean({ description: 'May have access tokens with `platform:admin`' }),
    disabledAt: OrNull(Time),
    createdAt: Time
  },
  { title: 'Person' }
)
export const Invitation = Type.Object(
  {
    id: Type.String(),
    email: Type.String(),
    projectId: OrNull(Type.String({ description: 'To which the person is invited, if to one' })),
    role: OrNull(Type.Enum(['owner', 'member'], { description: 'In the project' })),
    isOperator: Type.Boolean(),
    expiresAt: Time,
    createdAt: Time
  },
  { title: 'Invitation' }
)
export const CreatedInvitation = Type.Object(
  {
    ...Invitation.properties,
    url: Type.String({ description: 'To be sent to the person: good once, and shown here alone' })
  },
  { title: 'CreatedInvitation' }
)
const params = Type.Object({ personId: Type.String() })
const tags = ['identity']

export const invitePerson = {
  tags,
  summary: 'Invite a person to the platform',
  description:
    'A person who invites an operator, or into a project, has proved lately who it is (403 `confirmation_required`).',
  body: Closed({
    email: Email,
    isOperator: Type.Optional(Type.Boolean({ default: false })),
    projectId: Type.Optional(
      Type.String({ description: 'A project that is there, to which the person belongs from then on' })
    ),
    role: Type.Optional(Type.Enum(['owner', 'member'], { description: 'In that project; left out: owner' }))
  }),
  response: { 201: Data(CreatedInvitation), 404: {}, 409: {} }
}
export const listPlatformInvitations = {
  tags,
  summary: 'List invitations to the platform that were not accepted yet',
  querystring: Type.Object(Paging),
  response: { 200: Page(Invitation) }
}
export const withdrawPlatformInvitation = {
  tags,
  summary: 'Withdraw an invitation to the platform',
  params: Type.Object({ invitationId: Type.String() }),
  response: { 200: Deleted }
}
export const listPeople = {
  tags,
  summary: 'List people',
  querystring: Type.Object(Paging),
  response: { 200: Page(Person) }
}
export const readOwnPerson = {
  tags,
  summary: 'Get the person who has signed in',
  response: { 200: Data(Person) }
}
export const readPerson = { tags, summary: 'Get a person', params, response: { 200: Data(Person) } }
export const disablePerson = {
  tags,
  summary: 'Disable a person and end all its credentials',
  params,
  response: { 200: Data(Person) }
}
export const enablePerson = {
  tags,
  summary: 'Let a disabled person sign in again',
  params,
  response: { 200: Data(Person) }
}
const PasswordReset = Type.Object(
  {
    id: Type.String(),
    personId: Type.String(),
    url: Type.Optional(
      Type.String({
        description:
          'To be sent to the person: good once, and shown here alone; absent where the reply is repeated'
      })
    ),
    expiresAt: Time,
    createdAt: Time
  },
  { title: 'PasswordReset' }
)
export const resetPassword = {
  tags,
  summary: 'Make a link by which a person sets a new password, in place of the one before',
  params,
  response: { 201: Data(PasswordReset), 404: {}, 409: {} }
}
export const withdrawPasswordReset = {
  tags,
  summary: 'Take back the link by which a person sets a new password',
  params,
  response: { 200: Deleted, 404: {} }
}
