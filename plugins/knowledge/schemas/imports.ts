import type { Principal } from 'agent-platform'
import { Data, OrNull, Time, table } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import { SpaceParams } from './spaces.ts'

const count = (description: string) => Type.Integer({ minimum: 0, description })

const Reason = Type.Object({ path: Type.String(), message: Type.String(), code: Type.String() })
const Import = Type.Object(
  {
    id: Type.String({ examples: ['import_01k4qz0000e0080000000000ab'] }),
    owner: Type.String({ description: 'The space’s' }),
    spaceId: Type.String(),
    folderId: OrNull(Type.String({ description: 'Below which paths begin; null: the top of the space' })),
    status: Type.Enum(['running', 'completed', 'failed'], {
      description:
        '`failed`: it could not go on, or who began it may not write any more; what was imported stays'
    }),
    total: count('Documents to import'),
    created: count('Documents that are new'),
    updated: count('Documents with another text than before'),
    unchanged: count('Documents that were there already'),
    failed: count('Files that could not be imported, or have no text'),
    skipped: count('Files that were not imported because of their name or format'),
    errors: Type.Array(Reason, { description: 'Reasons of the first 100 failed files' }),
    skippedFiles: Type.Array(Reason, {
      description:
        'The first 1,000 skipped files, hidden files last. Codes: `format_unsupported`, `no_text` (images), `hidden`'
    }),
    warnings: Type.Array(Type.Object({ path: Type.String(), message: Type.String() }), {
      description:
        'Parts of the first 100 imported files that were not read, and encodings that were detected'
    }),
    createdAt: Time,
    endedAt: OrNull(Time)
  },
  { title: 'KnowledgeImport' }
)
export const imports = table('knowledge.import', Import, { what: 'Import', also: ['by', 'actor'] as never })
export type Import = Static<typeof Import>
export interface StoredImport extends Import {
  readonly project: string
  /** Whose work it is. */
  readonly by: string
  /** Who began it, as grants count it. */
  readonly actor: Pick<Principal, 'id' | 'type' | 'initiator'> | null
}

const tags = ['knowledge']
export const importDocuments = {
  tags,
  summary: 'Import documents',
  description:
    'The body is JSON (`{files: [{path, content}]}` or `{fileIds: […]}`), a form with files in the fields `file`, a ZIP archive, or ' +
    'one Markdown file. Few documents are imported when it returns; many are while it is `running`. A path that is there ' +
    'with the same text is left as it is.',
  params: SpaceParams,
  querystring: Type.Object({
    folderId: Type.Optional(Type.String({ description: 'The folder that paths begin in' })),
    path: Type.Optional(
      Type.String({ minLength: 1, maxLength: 1_000, description: 'Of a body that is one file' })
    )
  }),
  response: { 200: Data(Import) }
}
export const readImport = {
  tags,
  summary: 'Get an import, with how far it is',
  params: Type.Object({ spaceId: Type.String(), importId: Type.String() }),
  response: { 200: Data(Import) }
}
