import { Closed, Data, Deleted, Name, OrNull, Page, Paging, Time } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import { CreatedInvitation, Email, Invitation } from './people.ts'

const Role = Type.Enum(['owner', 'member'])
const Environment = Type.Enum(['live', 'test'], {
  description: 'Its keys begin with `ap_live_` or `ap_test_`'
})
const Project = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    environment: Environment,
    role: Type.Enum(['owner', 'member'], { description: 'Of the caller' }),
    createdAt: Time
  },
  { title: 'Project' }
)
const NewProject = Type.Object(
  { name: Name({ examples: ['Shop'] }), environment: Type.Optional(Environment) },
  { title: 'NewProject', additionalProperties: false }
)
const Member = Type.Object(
  {
    id: Type.String(),
    projectId: Type.String(),
    personId: Type.String(),
    name: Type.String(),
    email: Type.String(),
    role: Role,
    disabledAt: OrNull(Time),
    version: Type.Integer(),
    createdAt: Time,
    updatedAt: Time
  },
  { title: 'Member' }
)
const Scope = Type.String({ minLength: 1, maxLength: 80, examples: ['agents:read', 'goals:write'] })
const ProjectKey = Type.Object(
  {
    id: Type.String(),
    projectId: Type.String(),
    name: Type.String(),
    prefix: Type.String({ examples: ['ap_test_x7Kd'] }),
    principalId: Type.String({ description: 'As whom it acts' }),
    type: Type.Enum(['user', 'service', 'agent']),
    createdBy: OrNull(Type.String({ description: 'The person; null: the operator' })),
    scopes: Type.Array(Scope),
    createdAt: Time,
    lastUsedAt: OrNull(Time),
    revokedAt: OrNull(Time)
  },
  { title: 'ProjectKey' }
)
const CreatedProjectKey = Type.Object(
  { ...ProjectKey.properties, key: Type.String({ description: 'Shown here alone' }) },
  { title: 'CreatedProjectKey' }
)
const NewProjectKey = Type.Object(
  {
    name: Name({ examples: ['Nightly report'] }),
    type: Type.Optional(
      Type.Enum(['user', 'service'], {
        default: 'user',
        description: '`user`: acts as the caller; `service`: reaches the whole project, made by owners'
      })
    ),
    scopes: Type.Optional(
      Type.Array(Scope, {
        minItems: 1,
        maxItems: 100,
        uniqueItems: true,
        description: 'Default: all scopes of the project'
      })
    )
  },
  { title: 'NewProjectKey', additionalProperties: false }
)
export type NewProject = Static<typeof NewProject>
export type NewProjectKey = Static<typeof NewProjectKey>

const projectId = Type.String()
const params = Type.Object({ projectId })
const querystring = Type.Object(Paging)
const tags = ['identity']
const missing = { 404: {} }

export const createProject = {
  tags,
  summary: 'Create a project',
  body: NewProject,
  response: { 201: Data(Project) }
}
export const listProjects = {
  tags,
  summary: 'List projects of the caller',
  querystring,
  response: { 200: Page(Project) }
}
export const readProject = { tags, summary: 'Get a project', params, response: { 200: Data(Project) } }

export const renameProject = {
  tags,
  summary: 'Rename a project',
  params,
  body: Closed({ name: Name() }),
  response: { 200: Data(Project) }
}
export const deleteProject = {
  tags,
  summary: 'Close a project and end all access to it',
  description:
    'Members, keys, tokens, open streams and work in the background end. What is in the project is not deleted, and reached by ' +
    'nobody, unless an operator invites an owner anew.',
  params,
  response: { 200: Deleted, 409: {} }
}

const memberParams = Type.Object({ projectId, memberId: Type.String() })
export const listMembers = {
  tags,
  summary: 'List members',
  params,
  querystring,
  response: { 200: Page(Member) }
}
export const updateMember = {
  tags,
  summary: 'Change the role of a member',
  params: memberParams,
  body: Closed({ role: Role }),
  response: { 200: Data(Member) }
}
export const removeMember = {
  tags,
  summary: 'Remove a member and end its credentials in the project',
  params: memberParams,
  response: { 200: Deleted }
}

export const inviteMember = {
  tags,
  summary: 'Invite a person to a project',
  params,
  body: Closed({ email: Email, role: Type.Optional(Role) }),
  response: { 201: Data(CreatedInvitation), ...missing }
}
export const listInvitations = {
  tags,
  summary: 'List invitations that were not accepted yet',
  params,
  querystring,
  response: { 200: Page(Invitation) }
}
export const withdrawInvitation = {
  tags,
  summary: 'Withdraw an invitation',
  params: Type.Object({ projectId, invitationId: Type.String() }),
  response: { 200: Deleted }
}

export const createProjectKey = {
  tags,
  summary: 'Create a key of a project',
  params,
  body: NewProjectKey,
  response: { 201: Data(CreatedProjectKey), ...missing }
}
export const listProjectKeys = {
  tags,
  summary: 'List keys of a project',
  params,
  querystring,
  response: { 200: Page(ProjectKey) }
}
export const revokeProjectKey = {
  tags,
  summary: 'Revoke a key of a project',
  params: Type.Object({ projectId, keyId: Type.String() }),
  response: { 200: Deleted }
}
