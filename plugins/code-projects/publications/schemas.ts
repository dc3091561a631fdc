import { Data, Page, Paging, Time, table } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import { CodeProject, ofProject, tags } from '../projects/schemas.ts'

const Row = Type.Object(
  {
    id: Type.String({ examples: ['publication_01k4qz0000e0080000000000ab'] }),
    owner: Type.String(),
    agentId: Type.String(),
    projectId: Type.String(),
    number: Type.Integer({ description: 'Counts the publications of the project' }),
    version: Type.Integer({ description: 'Of the project, whose files it was made of' }),
    fileCount: Type.Integer(),
    bytes: Type.Integer(),
    singlePage: Type.Boolean(),
    createdAt: Time
  },
  { title: 'Publication' }
)
export const Publication = Type.Object(
  {
    ...Row.properties,
    url: Type.String({
      description: 'Where this one is shown for as long as it is kept, whatever is published later'
    }),
    isCurrent: Type.Boolean({ description: 'The preview of the project shows it' })
  },
  { title: 'Publication' }
)
export type Publication = Static<typeof Publication>

/** What lies at a path: its digest and size. */
export type Asset = readonly [path: string, sha256: string, size: number]

export const publications = table('code_projects.publication', Row)
export type PublicationRow = NonNullable<Awaited<ReturnType<typeof publications.find>>>

export const listPublications = {
  tags,
  summary: 'List the publications of a code project',
  description: 'Those that are kept, newest first.',
  params: ofProject,
  querystring: Type.Object({ ...Paging }),
  response: { 200: Page(Publication) }
}
export const restorePublication = {
  tags,
  summary: 'Show an earlier publication again',
  description: 'The files of the project stay as they are.',
  params: Type.Object({ ...ofProject.properties, publicationId: Type.String() }),
  response: { 200: Data(Publication) }
}
export const unpublishProject = {
  tags,
  summary: 'Take the preview of a code project away',
  description:
    'Its address answers 410 from now on, also those of single publications. They are kept, and `restore` shows one again.',
  params: ofProject,
  response: { 200: Data(CodeProject) }
}
