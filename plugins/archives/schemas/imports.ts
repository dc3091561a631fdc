import { Closed, Data, Name, OrNull, Page, Paging, Time, table } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import { Progress, Status } from './exports.ts'
import { Report, Sha256, Trouble } from './report.ts'

const NewImport = Type.Object(
  {
    fileId: Type.String({ description: 'The archive, as it was uploaded: POST /v1/files/upload' }),
    name: Type.Optional(Name({ description: 'Of the new agent; left out: as it was' })),
    activate: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'Switches on what acts by itself as it was, such as schedules; else it comes switched off'
      })
    ),
    trustedKeys: Type.Optional(
      Type.Array(Sha256, {
        maxItems: 20,
        default: [],
        description: 'Ids of keys whose signature is believed'
      })
    ),
    acceptUnsigned: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Takes an archive also where nobody signed it, or somebody who is not known here'
      })
    )
  },
  {
    title: 'NewAgentImport',
    additionalProperties: false,
    examples: [{ fileId: 'file_01k4qz0000e0080000000000ab', name: 'Ada, again' }]
  }
)
export type NewImport = Static<typeof NewImport>

const Import = Type.Object(
  {
    id: Type.String({ examples: ['agent_import_01k4qz0000e0080000000000ab'] }),
    owner: Type.String(),
    fileId: Type.String(),
    status: Status,
    agentId: OrNull(Type.String({ description: 'The new agent, once it is whole' })),
    progress: Progress,
    report: OrNull(Report),
    error: OrNull(Trouble),
    createdAt: Time,
    updatedAt: Time,
    endedAt: OrNull(Time)
  },
  { title: 'AgentImport' }
)
export interface StoredImport extends Static<typeof Import> {
  readonly project: string
  readonly order: Omit<NewImport, 'fileId'>
  readonly areas: readonly string[] | null
  readonly attempt: number
}
type Also = Pick<StoredImport, 'order' | 'areas' | 'attempt'>
export const imports = table<typeof Import, Also>('archives.import', Import, {
  type: 'agent_import',
  what: 'Import',
  also: ['order', 'areas', 'attempt']
})
export type Import = Static<typeof Import>

const tags = ['archives']
export const createImport = {
  tags,
  summary: 'Import an agent',
  description:
    'Makes an agent of the caller’s of an archive: all of it, or nothing. With `?dryRun=true` nothing is made, and the reply is a report.',
  querystring: Closed({ dryRun: Type.Optional(Type.Boolean({ default: false })) }),
  body: NewImport,
  response: { 200: Data(Report), 202: Data(Import), 413: Type.Object({}) }
}
export const listImports = {
  tags,
  summary: 'List imports of agents',
  querystring: Closed({ ...Paging }),
  response: { 200: Page(Import) }
}
export const readImport = {
  tags,
  summary: 'Get an import, with how far it is',
  params: Type.Object({ importId: Type.String() }),
  response: { 200: Data(Import) }
}
