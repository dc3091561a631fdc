import { Closed, Data, Deleted, OrNull, Page, Paging, Time } from 'agent-platform'
import { Type } from 'typebox'

export const Email = Type.String({ format: 'email', maxLength: 254, examples: ['ada@example.com'] })
const Person = Type.Object(
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
  body: Closed({
    email: Email,
    isOperator: Type.Optional(Type.Boolean({ default: false })),
    projectId: Type.Optional(
      Type.String({ description: 'A project that is there, of which the person becomes an owner' })
    )
  }),
  response: { 201: Data(CreatedInvitation), 404: {} }
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
