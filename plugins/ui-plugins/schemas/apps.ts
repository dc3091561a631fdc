import { Data, Deleted, OrNull, Page, Paging, Searching, Time } from 'agent-platform'
import { ConsentItem, Grants } from 'agent-platform-app/grants'
import { packageLimits } from 'agent-platform-app/limits'
import type { Static } from 'typebox'
import { Type } from 'typebox'

const status = Type.Enum(['draft', 'enabled', 'off'], {
  description: 'draft: never enabled; off: enabled before'
})
const audience = Type.Enum(['owner', 'project'], { description: 'Whose pages and agents may use it' })
const version = Type.String({ examples: ['1.4.0'], description: 'As in semver' })

const VersionBrief = Type.Object(
  {
    version,
    digest: Type.String({ description: 'Of manifest and files' }),
    size: Type.Integer({ description: 'Bytes' }),
    createdAt: Time
  },
  { title: 'AppVersionBrief' }
)
const AppFunction = Type.Object(
  {
    name: Type.String(),
    title: OrNull(Type.String()),
    description: Type.String(),
    tool: Type.Boolean({ description: 'Whether agents and workflows may be given it' })
  },
  { title: 'AppFunction' }
)
const AppPage = Type.Object(
  {
    name: Type.String(),
    title: Type.String(),
    uri: Type.String({ examples: ['ui://weather-desk/main'], description: 'As hosts of MCP Apps know it' })
  },
  { title: 'AppPage' }
)
const Health = Type.Object(
  {
    state: Type.Enum(['healthy', 'suspected', 'quarantined'], {
      description: 'suspected: it runs apart from others; quarantined: it does not run until then'
    }),
    losses: Type.Integer({ description: 'Processes that it was the end of, of late' }),
    reason: OrNull(Type.String()),
    until: OrNull(Time)
  },
  { title: 'AppHealth', description: 'On the instance that answers' }
)

export const App = Type.Object(
  {
    id: Type.String({ examples: ['app_01k4qz0000e0080000000000ab'] }),
    owner: Type.String(),
    pluginId: Type.String({ examples: ['weather-desk'], description: 'As the manifest calls it' }),
    name: Type.String(),
    description: Type.String(),
    status,
    audience,
    enabled: OrNull(VersionBrief),
    draft: OrNull(VersionBrief),
    grants: Grants,
    consent: Type.Array(ConsentItem, {
      description: 'What the latest version asks for and may not do yet'
    }),
    functions: Type.Array(AppFunction),
    pages: Type.Array(AppPage),
    icon: OrNull(Type.String({ description: 'SHA-256 of the picture at /icon; null where there is none' })),
    health: Health,
    version: Type.Integer({ description: 'Counts changes; the ETag' }),
    createdAt: Time,
    updatedAt: Time
  },
  { title: 'App' }
)
export type App = Static<typeof App>

export const AppVersion = Type.Object(
  {
    ...VersionBrief.properties,
    manifest: Type.Record(Type.String(), Type.Unknown(), { description: 'As it was registered' }),
    files: Type.Array(
      Type.Object({ path: Type.String(), size: Type.Integer(), sha256: Type.String() }, { title: 'AppFile' })
    )
  },
  { title: 'AppVersion' }
)
export type AppVersion = Static<typeof AppVersion>

const NewFile = Type.Object(
  {
    text: Type.Optional(Type.String({ maxLength: packageLimits.bytes })),
    base64: Type.Optional(Type.String({ maxLength: Math.ceil(packageLimits.bytes / 3) * 4 }))
  },
  { description: 'Either of the two' }
)
export const NewVersion = Type.Object(
  {
    manifest: Type.Record(Type.String(), Type.Unknown(), {
      description: 'As `manifest.schema.json` of the package agent-platform-app says'
    }),
    files: Type.Record(Type.String(), NewFile, {
      maxProperties: packageLimits.files,
      description: 'By path, such as server.js and pages/main.html: at most 8 MiB in all'
    }),
    activate: Type.Optional(
      Type.Boolean({
        description: 'Of an app that is enabled: this version from now on, unless it asks for more'
      })
    )
  },
  { title: 'NewAppVersion' }
)
export type NewVersion = Static<typeof NewVersion>

const tags = ['ui-plugins']
export const params = Type.Object({ pluginId: Type.String() })
export const AppQuery = Type.Object({
  ...Searching,
  status: Type.Optional(status)
})
export type AppQuery = Static<typeof AppQuery>

export const listApps = { tags, summary: 'List apps', querystring: AppQuery, response: { 200: Page(App) } }
export const registerApp = {
  tags,
  summary: 'Register or update an app draft',
  body: NewVersion,
  response: { 200: Data(App), 201: Data(App) }
}
export const readApp = { tags, summary: 'Get an app', params, response: { 200: Data(App) } }
export const listVersions = {
  tags,
  summary: 'List the versions of an app',
  params,
  querystring: Type.Object({ ...Paging }),
  response: { 200: Page(AppVersion) }
}
export const deleteApp = {
  tags,
  summary: 'Delete an app with all that it keeps',
  params,
  response: { 200: Deleted }
}
