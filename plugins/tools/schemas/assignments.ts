import { Changes, Data, Deleted, Page, Paging, Time, table } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'

export const Policy = Type.Union([Type.Literal('allow'), Type.Literal('ask'), Type.Literal('deny')], {
  description: '`ask`: each call is approved by a person'
})

export const Assignment = Type.Object(
  {
    id: Type.String({ examples: ['assign_01k4qz0000e0080000000000ab'] }),
    owner: Type.String({ description: 'The agent’s' }),
    agentId: Type.String(),
    toolId: Type.String({ description: 'Of a static tool: its name' }),
    toolName: Type.String(),
    policy: Policy,
    enabled: Type.Boolean(),
    version: Type.Integer({ description: 'Version, incremented on each update; also the ETag' }),
    createdAt: Time,
    updatedAt: Time
  },
  { title: 'ToolAssignment' }
)
const NewAssignment = Type.Object(
  {
    toolId: Type.String({ minLength: 1, maxLength: 100, description: 'Its id or its name' }),
    policy: Type.Optional({ ...Policy, default: 'allow' }),
    enabled: Type.Optional(Type.Boolean({ default: true }))
  },
  { title: 'NewToolAssignment' }
)
/** The name of a tool lies with the tool. */
export const assignments = table('tools.assignment', Type.Omit(Assignment, ['toolName']), {
  type: 'assign',
  what: 'Tool assignment'
})
const AssignmentChanges = Changes(Assignment, ['policy', 'enabled'])

export type Assignment = Static<typeof Assignment>
export type NewAssignment = Static<typeof NewAssignment>
export type AssignmentChanges = Static<typeof AssignmentChanges>

const tags = ['tools']
const ofAgent = Type.Object({ agentId: Type.String() })
const params = Type.Object({ id: Type.String() })

export const listAssignments = {
  tags,
  summary: 'List the tools that an agent was assigned',
  params: ofAgent,
  querystring: Type.Object({ ...Paging }),
  response: { 200: Page(Assignment) }
}
export const createAssignment = {
  tags,
  summary: 'Assign a tool to an agent',
  params: ofAgent,
  body: NewAssignment,
  response: { 201: Data(Assignment) }
}
export const updateAssignment = {
  tags,
  summary: 'Update an assignment',
  params,
  body: AssignmentChanges,
  response: { 200: Data(Assignment) }
}
export const deleteAssignment = {
  tags,
  summary: 'Take a tool from an agent',
  params,
  response: { 200: Deleted }
}
