import { Data, OrNull, Page, Paging, Time } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import { Definition } from './definition.ts'

const VersionSummary = Type.Object(
  {
    id: Type.String({ examples: ['version_01k4qz0000e0080000000000ab'] }),
    workflowId: Type.String(),
    version: Type.Integer({
      description:
        'Of the workflow since this edit of its definition; other edits count without a version here'
    }),
    createdAt: OrNull(Time)
  },
  { title: 'WorkflowVersionSummary' }
)
const Version = Type.Object(
  { ...VersionSummary.properties, definition: Definition },
  { title: 'WorkflowVersion' }
)
export type VersionSummary = Static<typeof VersionSummary>
export type Version = Static<typeof Version>

const tags = ['workflows']

export const listVersions = {
  tags,
  summary: 'List the versions of a workflow',
  description: 'Each definition that it had, the newest first; for its owner.',
  params: Type.Object({ id: Type.String() }),
  querystring: Type.Object({ ...Paging }),
  response: { 200: Page(VersionSummary) }
}
export const readVersion = {
  tags,
  summary: 'Get a version of a workflow',
  description:
    'The definition that the workflow had in that version, such as `workflowVersion` of an execution; for its owner.',
  params: Type.Object({ id: Type.String(), version: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }) }),
  response: { 200: Data(Version) }
}
