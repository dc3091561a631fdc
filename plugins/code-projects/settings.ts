import type { Static } from 'typebox'
import { Type } from 'typebox'

const MIB = 1_048_576

export const CodeProjectSettings = Type.Object({
  projectsPerAgent: Type.Integer({ minimum: 1, maximum: 10_000, default: 100, description: 'Of one agent' }),
  projectFiles: Type.Integer({
    minimum: 1,
    maximum: 10_000,
    default: 2_000,
    description: 'Files of a project'
  }),
  fileBytes: Type.Integer({
    minimum: 1_024,
    maximum: 12 * MIB,
    default: 5 * MIB,
    description: 'Of one file'
  }),
  projectBytes: Type.Integer({
    minimum: 1_024,
    maximum: 64 * MIB,
    default: 32 * MIB,
    description: 'Of all files of a project'
  }),
  publicationFiles: Type.Integer({
    minimum: 1,
    maximum: 20_000,
    default: 5_000,
    description: 'Files of what is published'
  }),
  publicationBytes: Type.Integer({
    minimum: 1_024,
    maximum: 4_096 * MIB,
    default: 200 * MIB,
    description: 'Of all files of what is published'
  }),
  publicationsKept: Type.Integer({
    minimum: 1,
    maximum: 100,
    default: 10,
    description: 'Publications of a project that can be looked at and gone back to'
  }),
  ownerBytes: Type.Integer({
    minimum: 1_024,
    maximum: Number.MAX_SAFE_INTEGER,
    default: 5_120 * MIB,
    description: 'Of an owner: files of projects, and as much again of what is published'
  }),
  buildSeconds: Type.Integer({
    env: 'CODE_PROJECTS_BUILD_SECONDS',
    minimum: 1,
    maximum: 3_600,
    default: 600,
    description: 'How long a build may take'
  }),
  buildsKept: Type.Integer({
    minimum: 1,
    maximum: 1_000,
    default: 50,
    description: 'Of a project, with their logs'
  }),
  npmRegistry: Type.String({
    env: 'CODE_PROJECTS_NPM_REGISTRY',
    pattern: '^https?://[^\\s]+$',
    maxLength: 2_000,
    default: 'https://registry.npmjs.org/',
    description: 'Where builds have their packages from; the computers of agents must be allowed its host'
  }),
  gitHosts: Type.String({
    env: 'CODE_PROJECTS_GIT_HOSTS',
    maxLength: 10_000,
    default: 'github.com,gitlab.com,bitbucket.org,codeberg.org',
    description:
      'Where projects may be pushed to, comma-separated: hosts, or `http://host:port` for one without TLS; `*`: any, by TLS'
  }),
  previewUrl: Type.String({
    env: 'PREVIEW_URL',
    maxLength: 500,
    pattern: '^(|https?://[A-Za-z0-9.*:\\[\\]-]+/?)$',
    default: '',
    description:
      'Origin of previews, such as `https://*.previews.example.com`: with `*` each has one of its own; default: the platform’s'
  }),
  requestsPerMinute: Type.Integer({
    minimum: 1,
    maximum: 1_000_000_000,
    default: 6_000,
    env: 'CODE_PROJECTS_REQUESTS_PER_MINUTE',
    description: 'Files of previews that one address is given'
  }),
  cacheBytes: Type.Integer({
    minimum: 0,
    maximum: 4_096 * MIB,
    default: 64 * MIB,
    description: 'Memory for files of previews that are asked for often'
  })
})
export type CodeProjectSettings = Static<typeof CodeProjectSettings>
