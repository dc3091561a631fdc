import { Changes, Closed, Data, Deleted, Name, OrNull, Page, Paging, Time, table } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'

const command = Type.String({
  minLength: 1,
  maxLength: 2_000,
  pattern: '^[^\\u0000]*$',
  description: 'For `/bin/sh -c`, in the folder of the project'
})
const count = Type.Integer({ minimum: 0 })
const template = Type.Enum(['static', 'vite', 'node'], {
  description:
    'What it began as: files that are served as they are, an app that Vite builds, or a service of Node.js'
})
const row = {
  id: Type.String({ examples: ['codeproject_01k4qz0000e0080000000000ab'] }),
  owner: Type.String(),
  agentId: Type.String({ description: 'The agent whose it is, and on whose computer it is built' }),
  name: Name({ maxLength: 100 }),
  description: OrNull(Type.String({ maxLength: 2_000 })),
  template,
  buildCommand: OrNull({
    ...command,
    description:
      'What makes the output, after the packages are installed. Null: the files are published as they are'
  }),
  outputFolder: Type.String({
    minLength: 1,
    maxLength: 500,
    description: 'Where the build puts what is published; `.`: the project itself'
  }),
  startCommand: OrNull({
    ...command,
    description: 'What serves it where it is verified, on the port `PORT`. Null: its output is served'
  }),
  singlePage: Type.Boolean({
    description: 'Addresses of its preview at which no file lies show `index.html`'
  }),
  slug: Type.String({ description: 'In the address of its preview' }),
  publicationId: OrNull(Type.String({ description: 'What the preview shows; null while there is none' })),
  fileCount: count,
  bytes: Type.Integer({ minimum: 0, description: 'Of its files' }),
  version: Type.Integer({ description: 'Counts edits, those of its files as well; the ETag' }),
  createdAt: Time,
  updatedAt: Time
}
const Row = Type.Object(row, { title: 'CodeProject' })
export const CodeProject = Type.Object(
  {
    ...row,
    previewUrl: OrNull(Type.String({ description: 'Where its preview is; null while there is none' }))
  },
  { title: 'CodeProject' }
)
export const ProjectFile = Type.Object(
  {
    path: Type.String({ examples: ['src/main.js'] }),
    size: count,
    sha256: Type.String(),
    version: Type.Integer({ description: 'Of the project, when this file became what it is' }),
    updatedAt: Time,
    encoding: OrNull(Type.Enum(['utf8', 'base64'], { description: 'Of `content`' })),
    content: OrNull(
      Type.String({
        description: 'Null where it was not asked for, or is more than an answer takes; ask by `path` then'
      })
    )
  },
  { title: 'ProjectFile' }
)
export const CodeProjectWithFiles = Type.Object(
  { ...CodeProject.properties, files: Type.Array(ProjectFile, { description: 'By path' }) },
  { title: 'CodeProjectWithFiles' }
)

const ignored = Type.Optional(Type.Unknown({ readOnly: true, description: 'Accepted and ignored' }))
const NewFile = Type.Object(
  {
    path: Type.String({ minLength: 1, maxLength: 1_024 }),
    content: OrNull(
      Type.String({
        maxLength: 17_000_000,
        description: 'Null: it stays as it is, as one that an answer had no room for'
      })
    ),
    encoding: Type.Optional(OrNull(Type.Enum(['utf8', 'base64'], { default: 'utf8' }))),
    size: ignored,
    sha256: ignored,
    version: ignored,
    updatedAt: ignored
  },
  { title: 'NewProjectFile', additionalProperties: false }
)
const files = Type.Array(NewFile, { maxItems: 10_000 })
export const NewCodeProject = Type.Object(
  {
    name: row.name,
    description: Type.Optional(row.description),
    template: Type.Optional(Type.Enum(['static', 'vite', 'node'], { default: 'static' })),
    ...Type.Partial(Type.Pick(Row, ['buildCommand', 'outputFolder', 'startCommand', 'singlePage']))
      .properties,
    files: Type.Optional(
      Type.Array(NewFile, { maxItems: 10_000, description: 'In place of those of the template' })
    )
  },
  { title: 'NewCodeProject', additionalProperties: false, examples: [{ name: 'Tea shop', template: 'vite' }] }
)
export const writable = [
  'name',
  'description',
  'buildCommand',
  'outputFolder',
  'startCommand',
  'singlePage'
] as const
export const CodeProjectChanges = Changes(
  Type.Object(CodeProjectWithFiles.properties, { title: 'CodeProject' }),
  writable
)
export const WriteProjectFiles = Type.Object(
  {
    baseVersion: Type.Optional(
      Type.Integer({
        minimum: 1,
        description:
          'The version that the writer has seen: 409 `file_changed` where one of these files was changed since, by whomever. `If-Match` refuses any other change as well'
      })
    ),
    files: Type.Optional(files),
    delete: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 1_024 }), {
        maxItems: 10_000,
        description:
          'Paths; of a folder, with `/` at its end, all that lies in it. What is not there is no matter'
      })
    )
  },
  {
    title: 'WriteProjectFiles',
    additionalProperties: false,
    examples: [
      { baseVersion: 1, files: [{ path: 'index.html', content: '<h1>Tea</h1>' }], delete: ['old.html'] }
    ]
  }
)

export type CodeProject = Static<typeof CodeProject>
export type CodeProjectWithFiles = Static<typeof CodeProjectWithFiles>
export type ProjectFile = Static<typeof ProjectFile>
export type NewCodeProject = Static<typeof NewCodeProject>
export type CodeProjectChanges = Static<typeof CodeProjectChanges>
export type WriteProjectFiles = Static<typeof WriteProjectFiles>
export type NewFile = Static<typeof NewFile>
export type Template = CodeProject['template']

export const codeProjects = table('code_projects.codeproject', Row)
export type CodeProjectRow = NonNullable<Awaited<ReturnType<typeof codeProjects.find>>>

export const tags = ['code-projects']
export const ofAgent = Type.Object({ agentId: Type.String() })
export const ofProject = Type.Object({ agentId: Type.String(), projectId: Type.String() })

export const listProjects = {
  tags,
  summary: 'List the code projects of an agent',
  params: ofAgent,
  querystring: Type.Object({ ...Paging }),
  response: { 200: Page(CodeProject), 404: {} }
}
export const createProject = {
  tags,
  summary: 'Create a code project',
  description: 'With the files of a template, or with those that are given.',
  params: ofAgent,
  body: NewCodeProject,
  response: { 201: Data(CodeProject), 404: {}, 413: {}, 429: {} }
}
export const readProject = {
  tags,
  summary: 'Get a code project with its files',
  description:
    'With what is in them, up to a mebibyte in all; by `path` with that of one file, or of those in a folder (`src/`), whatever else there is.',
  params: ofProject,
  querystring: Closed({
    path: Type.Optional(
      Type.String({ minLength: 1, maxLength: 1_024, description: 'Only that file, or folder' })
    ),
    content: Type.Optional(Type.Boolean({ default: true, description: 'False: only which files there are' }))
  }),
  response: { 200: Data(CodeProjectWithFiles) }
}
export const updateProject = {
  tags,
  summary: 'Change a code project',
  description: 'Its name and how it is built; its files are written by `PUT …/files`.',
  params: ofProject,
  body: CodeProjectChanges,
  response: { 200: Data(CodeProject) }
}
export const deleteProject = {
  tags,
  summary: 'Delete a code project',
  description: 'With its files, publications and preview.',
  params: ofProject,
  response: { 200: Deleted }
}
export const writeFiles = {
  tags,
  summary: 'Write files of a code project',
  description:
    'All of it or nothing. 409 `file_changed` with `param` where `baseVersion` says so, 412 where `If-Match` does not hold, 413 beyond what a file or a project may have.',
  params: ofProject,
  body: WriteProjectFiles,
  response: { 200: Data(CodeProjectWithFiles), 409: {}, 413: {} }
}
