import { Data, Deleted, OrNull, Page, Paging, Searching, Time, table } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import { Policy } from './assignments.ts'
import { Tool } from './tools.ts'

export const SubjectType = Type.Union([
  Type.Literal('user'),
  Type.Literal('agent'),
  Type.Literal('service'),
  Type.Literal('project')
])
export const Level = Type.Union([Type.Literal('use'), Type.Literal('manage')])
const Name = Type.String({ pattern: '^[\\x21-\\x7e]{1,128}$', description: 'Of a project: its id' })
const ToolRef = Type.String({ minLength: 1, maxLength: 100, description: 'Its id or its name' })

export const Permission = Type.Object(
  {
    id: Type.String({ examples: ['perm_01k4qz0000e0080000000000ab'] }),
    owner: Type.String({ description: 'The tool’s' }),
    toolId: Type.String(),
    subjectType: SubjectType,
    subjectId: Type.String({ description: 'Of a project: its id' }),
    level: Level,
    grantedBy: Type.String(),
    version: Type.Integer({ description: 'Version, incremented on each update; also the ETag' }),
    createdAt: Time,
    updatedAt: Time
  },
  { title: 'ToolPermission' }
)
export const permissions = table('tools.permission', Permission, { type: 'perm', what: 'Tool permission' })
const NewPermission = Type.Object(
  {
    toolId: ToolRef,
    subjectType: SubjectType,
    subjectId: Name,
    level: Level
  },
  { title: 'NewToolPermission' }
)
const NewPermissions = Type.Object(
  { grants: Type.Array(NewPermission, { minItems: 1, maxItems: 100 }) },
  { title: 'NewToolPermissions' }
)
const Transfer = Type.Object(
  {
    toolId: ToolRef,
    newOwner: { ...Name, description: 'A user or service of the project' },
    keepUse: Type.Optional(
      Type.Boolean({ default: false, description: 'The owner of today may go on using it' })
    )
  },
  { title: 'ToolTransfer' }
)
const Transferred = Type.Object(
  {
    id: Type.String({ description: 'Of the tool' }),
    owner: Type.String(),
    formerOwner: Type.String(),
    mappingsDropped: Type.Integer({ description: 'Of keys of the former owner' }),
    permissionsDropped: Type.Integer({
      description: 'Of the former owner and its agents, and of the new owner'
    })
  },
  { title: 'ToolTransferred' }
)

const reasons = [
  Type.Literal('static'),
  Type.Literal('ownership'),
  Type.Literal('inheritance'),
  Type.Literal('grant')
] as const
const Reason = Type.Union([...reasons], { description: 'inheritance: an agent uses what its owner may use' })
const GrantShown = Type.Object(
  {
    reason: Reason,
    level: Level,
    permissionId: OrNull(Type.String({ description: 'The permission that decided' }))
  },
  { title: 'ToolGrant' }
)
const { config: _, ...shown } = Tool.properties
const AccessibleTool = Type.Object({ ...shown, grant: GrantShown }, { title: 'AccessibleTool' })
const Check = Type.Object(
  {
    allowed: Type.Boolean(),
    reason: Type.Union([...reasons, Type.Literal('level'), Type.Literal('none')], {
      description: 'level: what was granted does not suffice'
    }),
    permissionId: OrNull(Type.String()),
    level: OrNull({ ...Level, description: 'The highest that was granted' })
  },
  { title: 'ToolCheck' }
)
const AgentCheck = Type.Object(
  {
    allowed: Type.Boolean(),
    reason: Type.Union(
      [
        Type.Literal('allowed'),
        Type.Literal('not_assigned'),
        Type.Literal('disabled'),
        Type.Literal('denied'),
        Type.Literal('principal'),
        Type.Literal('agent'),
        Type.Literal('unavailable')
      ],
      { description: 'The first condition that fails; principal, agent: who may not use the tool' }
    ),
    policy: OrNull(Policy),
    principal: OrNull(GrantShown),
    agent: OrNull(GrantShown)
  },
  { title: 'ToolAgentCheck' }
)

export type Permission = Static<typeof Permission>
export type NewPermission = Static<typeof NewPermission>
export type Transfer = Static<typeof Transfer>
export type Transferred = Static<typeof Transferred>
export type AccessibleTool = Static<typeof AccessibleTool>
export type Check = Static<typeof Check>
export type AgentCheck = Static<typeof AgentCheck>

const tags = ['tools']
const Subject = {
  subjectType: Type.Optional({ ...SubjectType, description: 'With `subjectId`; default: the caller' }),
  subjectId: Type.Optional(Name)
}

export const grantPermission = {
  tags,
  summary: 'Grant access to a tool',
  description: '200 where the subject had a permission, which then has the level of this one.',
  body: NewPermission,
  response: { 200: Data(Permission), 201: Data(Permission) }
}
export const grantPermissions = {
  tags,
  summary: 'Grant access many times at once, or not at all',
  description: 'The permissions, in the order of the grants; 200 where every subject had one.',
  body: NewPermissions,
  response: { 200: Page(Permission), 201: Page(Permission) }
}
export const revokePermission = {
  tags,
  summary: 'Revoke a permission',
  params: Type.Object({ permissionId: Type.String() }),
  response: { 200: Deleted }
}
export const listOfTool = {
  tags,
  summary: 'List who was granted a tool',
  params: Type.Object({ toolId: Type.String() }),
  querystring: Type.Object({ ...Paging }),
  response: { 200: Page(Permission) }
}
export const listOfSubject = {
  tags,
  summary: 'List what a subject was granted',
  querystring: Type.Object({ ...Paging, ...Subject }),
  response: { 200: Page(Permission), 404: {} }
}
export const listAccessible = {
  tags,
  summary: 'List the tools that the caller may use, and why',
  querystring: Type.Object({ ...Searching }),
  response: { 200: Page(AccessibleTool) }
}
export const checkPermission = {
  tags,
  summary: 'Check one permission',
  querystring: Type.Object({
    toolId: ToolRef,
    ...Subject,
    level: Type.Optional({ ...Level, default: 'use' })
  }),
  response: { 200: Data(Check), 404: {} }
}
export const checkAgentAccess = {
  tags,
  summary: 'Check whether an agent may call a tool for the caller',
  querystring: Type.Object({ agentId: Type.String({ minLength: 1, maxLength: 100 }), toolId: ToolRef }),
  response: { 200: Data(AgentCheck), 404: {} }
}
export const transferOwnership = {
  tags,
  summary: 'Hand a tool to someone else',
  body: Transfer,
  response: { 200: Data(Transferred) }
}
