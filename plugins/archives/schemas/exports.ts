import { Closed, Data, Deleted, OrNull, Page, Paging, Time, table } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import { Need, PackName, Trouble } from './report.ts'

export const Status = Type.Enum(['queued', 'running', 'completed', 'failed'])
export const Progress = Type.Object(
  {
    part: OrNull(Type.String({ description: 'The pack whose part is under way' })),
    done: Type.Integer({ description: 'Parts that are done' }),
    parts: Type.Integer({ description: 'Of so many' }),
    records: Type.Integer({ description: 'Records so far' })
  },
  { title: 'ArchiveProgress' }
)

const Export = Type.Object(
  {
    id: Type.String({ examples: ['agent_export_01k4qz0000e0080000000000ab'] }),
    owner: Type.String({ description: 'The agent’s' }),
    agentId: Type.String(),
    status: Status,
    include: Type.Array(PackName, { description: 'Parts that were asked for beside the usual ones' }),
    progress: Progress,
    parts: Type.Array(Type.Object({ pack: PackName, records: Type.Integer() }), {
      description: 'What the archive has'
    }),
    leftOut: Type.Array(PackName, {
      description: 'Parts that were not asked for, or are beyond the credential'
    }),
    needs: Type.Array(Need, { description: 'What is not in it and has to be given again' }),
    fileId: OrNull(Type.String({ description: 'The archive: GET /v1/files/:fileId/content' })),
    size: OrNull(Type.Integer({ description: 'In bytes' })),
    sha256: OrNull(Type.String({ description: 'Of the archive' })),
    keyId: OrNull(Type.String({ description: 'The key that signed it; null where nothing signs' })),
    error: OrNull(Trouble),
    createdAt: Time,
    updatedAt: Time,
    endedAt: OrNull(Time)
  },
  { title: 'AgentExport' }
)
/** `areas`: packs whose data the credential may read; null: all. `attempt`: counts its beginnings. */
export interface StoredExport extends Static<typeof Export> {
  readonly project: string
  readonly areas: readonly string[] | null
  readonly attempt: number
}
export const exports_ = table<typeof Export, Pick<StoredExport, 'areas' | 'attempt'>>(
  'archives.export',
  Export,
  {
    type: 'agent_export',
    what: 'Export',
    also: ['areas', 'attempt']
  }
)
export type Progress = Static<typeof Progress>
export type Export = Static<typeof Export>

const NewExport = Type.Object(
  {
    include: Type.Optional(
      Type.Array(PackName, {
        maxItems: 50,
        uniqueItems: true,
        default: [],
        description: 'Parts that are left out otherwise: `sessions`, `library`, `computer`',
        examples: [['sessions', 'computer']]
      })
    )
  },
  { title: 'NewAgentExport', additionalProperties: false }
)
export type NewExport = Static<typeof NewExport>

const tags = ['archives']
const params = Type.Object({ exportId: Type.String() })

export const createExport = {
  tags,
  summary: 'Export an agent',
  description:
    'Begins to make an archive of everything that is kept of the agent, and answers before it is there. Without secrets: `needs` says what has to be given again.',
  params: Type.Object({ agentId: Type.String() }),
  body: Type.Optional(OrNull(NewExport)),
  response: { 202: Data(Export) }
}
export const listExports = {
  tags,
  summary: 'List exports of agents',
  querystring: Closed({ ...Paging, agentId: Type.Optional(Type.String({ maxLength: 128 })) }),
  response: { 200: Page(Export), 404: {} }
}
export const readExport = {
  tags,
  summary: 'Get an export, with how far it is',
  params,
  response: { 200: Data(Export) }
}
export const deleteExport = {
  tags,
  summary: 'Delete an export, with its archive',
  params,
  response: { 200: Deleted }
}
