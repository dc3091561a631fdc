import { Data, OrNull, Page, Paging, Time, table } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import { ofProject, tags } from '../projects/schemas.ts'

export const Report = Type.Object(
  {
    ok: Type.Boolean({
      description: 'It loaded, without an error on the console and without a request that failed'
    }),
    title: Type.String(),
    status: OrNull(Type.Integer()),
    error: OrNull(Type.String({ description: 'Why it did not load' })),
    consoleErrors: Type.Array(
      Type.String({ description: 'Written by the page, and to be trusted by no one' })
    ),
    failedRequests: Type.Array(Type.Object({ url: Type.String(), reason: Type.String() })),
    loadMilliseconds: OrNull(Type.Integer()),
    screenshotFileId: OrNull(Type.String({ description: 'Of a file: `GET /v1/files/:fileId/content`' }))
  },
  { title: 'BuildReport' }
)
const listed = {
  id: Type.String({ examples: ['build_01k4qz0000e0080000000000ab'] }),
  owner: Type.String(),
  agentId: Type.String(),
  projectId: Type.String(),
  kind: Type.Enum(['publish', 'verify']),
  status: Type.Enum(['queued', 'running', 'completed', 'failed', 'cancelled']),
  reason: OrNull(
    Type.String({
      description:
        'Why it failed: `build_failed`, `time_exceeded`, `storage_exceeded`, `nothing_built`, `computer_off` …'
    })
  ),
  version: Type.Integer({ description: 'Of the project, whose files were built' }),
  exitCode: OrNull(Type.Integer({ description: 'Of what built it' })),
  publicationId: OrNull(Type.String({ description: 'What came of it' })),
  report: OrNull(Report),
  createdAt: Time,
  startedAt: OrNull(Time),
  endedAt: OrNull(Time)
}
const ListedBuild = Type.Object(listed, { title: 'ListedBuild' })
export const Build = Type.Object(
  {
    ...listed,
    log: Type.String({ description: 'What the build wrote, as far as 256 KiB; to be trusted by no one' }),
    previewUrl: OrNull(Type.String({ description: 'Where what it published is shown' }))
  },
  { title: 'Build' }
)
const WaitForBuild = Type.Object(
  {
    wait: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 300,
        default: 60,
        description: 'Seconds; the answer is the build as it is then, which goes on'
      })
    )
  },
  { title: 'WaitForBuild', additionalProperties: false }
)
export type Report = Static<typeof Report>
export type Build = Static<typeof Build>
export type ListedBuild = Static<typeof ListedBuild>

export const builds = table<
  typeof ListedBuild,
  { instance: number | null; attempt: number; cancelledAt: string | null }
>('code_projects.build', ListedBuild, { also: ['instance', 'attempt', 'cancelledAt'], what: 'Build' })
export type BuildRow = NonNullable<Awaited<ReturnType<typeof builds.find>>>

const body = OrNull(WaitForBuild)
const ofBuild = Type.Object({ ...ofProject.properties, buildId: Type.String() })
const needs =
  'Code runs on the computer of the agent alone: 409 `computer_off` while that is not enabled, 503 `capability_missing` with what to install where there are none.'

export const publishProject = {
  tags,
  summary: 'Build a code project and publish it',
  description: `A project without \`buildCommand\` is published as it is, without a computer. ${needs} Builds of a project run one after the other; 429 \`too_many_builds\` while many wait.`,
  params: ofProject,
  body,
  response: { 200: Data(Build), 409: {}, 413: {}, 503: {} }
}
export const verifyProject = {
  tags,
  summary: 'Build a code project and look whether it works',
  description: `Built as for publishing, served within the computer, opened in its browser. ${needs}`,
  params: ofProject,
  body,
  response: { 200: Data(Build), 409: {}, 503: {} }
}
export const listBuilds = {
  tags,
  summary: 'List the builds of a code project',
  description: 'Newest first, without their logs.',
  params: ofProject,
  querystring: Type.Object({
    ...Paging,
    kind: Type.Optional(listed.kind),
    status: Type.Optional(listed.status)
  }),
  response: { 200: Page(ListedBuild) }
}
export const readBuild = {
  tags,
  summary: 'Get a build and its log',
  description: 'With what it wrote so far while it runs.',
  params: ofBuild,
  response: { 200: Data(Build) }
}
export const cancelBuild = {
  tags,
  summary: 'Cancel a build',
  description: 'Ends all that it started. 409 `ended` for one that has ended.',
  params: ofBuild,
  response: { 200: Data(Build), 409: {} }
}
