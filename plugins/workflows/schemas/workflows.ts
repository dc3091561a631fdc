import { Changes, Data, Deleted, Name, OrNull, Page, Searching, Time, table } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import { Definition } from './definition.ts'

const visibility = Type.Enum(['private', 'public'], {
  description: '`public`: everyone may read and fork it; only its owner executes and changes it'
})
/** As lists have it: definitions are large. */
export const WorkflowSummary = Type.Object(
  {
    id: Type.String({ examples: ['workflow_01k4qz0000e0080000000000ab'] }),
    owner: Type.String(),
    name: Name(),
    description: OrNull(Type.String({ maxLength: 5_000 })),
    visibility,
    version: Type.Integer({ description: 'Version, incremented on each update; also the ETag' }),
    createdAt: Time,
    updatedAt: Time
  },
  { title: 'WorkflowSummary' }
)
export const Workflow = Type.Object(
  { ...WorkflowSummary.properties, definition: Definition },
  { title: 'Workflow' }
)
export const NewWorkflow = Type.Object(
  {
    ...Type.Pick(Workflow, ['name', 'definition']).properties,
    ...Type.Partial(Type.Pick(Workflow, ['description', 'visibility'])).properties
  },
  {
    title: 'NewWorkflow',
    examples: [
      {
        name: 'Greeting',
        definition: {
          inputSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
          steps: [
            {
              id: 'greet',
              type: 'agent',
              config: { agentId: 'agent_01k4qz0000e0080000000000ab', prompt: 'Greet {{ input.name }}.' }
            },
            {
              id: 'polish',
              type: 'transform',
              dependsOn: ['greet'],
              config: { value: '{{ $trim(steps.greet.output) }}' }
            }
          ],
          output: '{{ steps.polish.output }}'
        }
      }
    ]
  }
)
const NewFork = Type.Object(
  {
    name: Type.Optional(Name()),
    references: Type.Optional(
      Type.Record(Type.String(), Type.String(), {
        maxProperties: 200,
        description: 'Ids of agents and workflows of the original, and what of the caller’s stands for them'
      })
    )
  },
  { title: 'WorkflowFork' }
)
const ForkedWorkflow = Type.Object(
  {
    ...Workflow.properties,
    cleared: Type.Array(Type.String(), {
      description: 'JSON pointers to what was left out, since the caller may not use it'
    })
  },
  { title: 'ForkedWorkflow' }
)
const WorkflowChanges = Changes(Workflow, ['name', 'description', 'visibility', 'definition'])
const WorkflowQuery = Type.Object({ ...Searching, visibility: Type.Optional(visibility) })

export type Workflow = Static<typeof Workflow>
export type NewWorkflow = Static<typeof NewWorkflow>
export type WorkflowChanges = Static<typeof WorkflowChanges>
export type NewFork = Static<typeof NewFork>
export type WorkflowQuery = Static<typeof WorkflowQuery>

export const workflows = table('workflows.workflow', Workflow)
export const summaries = table('workflows.workflow', WorkflowSummary, {
  what: 'Workflow',
  searched: ['name', 'description']
})

const tags = ['workflows']
const params = Type.Object({ id: Type.String() })

export const createWorkflow = {
  tags,
  summary: 'Create a workflow',
  body: NewWorkflow,
  response: { 201: Data(Workflow) }
}
export const listWorkflows = {
  tags,
  summary: 'List workflows',
  querystring: WorkflowQuery,
  response: { 200: Page(WorkflowSummary) }
}
export const listPublicWorkflows = {
  tags,
  summary: 'List public workflows',
  description: 'Those of all projects; everyone may read and fork them.',
  querystring: Type.Object({ ...Searching }),
  response: { 200: Page(WorkflowSummary) }
}
export const readWorkflow = {
  tags,
  summary: 'Get a workflow',
  params,
  querystring: Type.Object({
    format: Type.Optional(
      Type.Enum(['json', 'mermaid'], {
        default: 'json',
        description: '`mermaid`: the text of a Mermaid flowchart'
      })
    )
  }),
  response: {
    200: {
      description: 'The workflow, or its flowchart',
      content: {
        'application/json': { schema: Data(Workflow) },
        'text/vnd.mermaid': { schema: Type.String() }
      }
    }
  }
}
export const forkWorkflow = {
  tags,
  summary: 'Fork a workflow',
  description:
    'Makes a private copy of one that the caller may read. What the caller may not use is left out of it and named in `cleared`.',
  params,
  body: OrNull(NewFork),
  response: { 201: Data(ForkedWorkflow) }
}
export const updateWorkflow = {
  tags,
  summary: 'Update a workflow',
  params,
  body: WorkflowChanges,
  response: { 200: Data(Workflow) }
}
export const deleteWorkflow = {
  tags,
  summary: 'Delete a workflow',
  description: 'Its executions go with it; those under way are cancelled.',
  params,
  response: { 200: Deleted }
}
