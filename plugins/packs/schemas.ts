import { Data, OrNull, Page, Paging, Time } from 'agent-platform'
import { Type } from 'typebox'

const Name = Type.String({ examples: ['goals'] })
const Digest = OrNull(
  Type.String({ description: 'Version: digest of its files', examples: ['9f86d081884c7d65'] })
)
const Status = Type.Enum(['running', 'off', 'failed', 'waiting for code'])
const From = Type.Enum(['environment', 'locked', 'table', 'file', 'default'], {
  description: 'Where the value comes from, strongest first'
})

const PackInstance = Type.Object(
  {
    instance: Type.Integer(),
    status: Status,
    digest: Digest,
    reason: OrNull(Type.String()),
    at: Time
  },
  { title: 'PackInstance' }
)
const DeadLetteredFact = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    subject: Type.String(),
    attempts: Type.Integer(),
    error: Type.String(),
    deadLetteredAt: Time
  },
  { title: 'DeadLetteredFact', description: 'A fact that the pack could not handle' }
)
const Pack = Type.Object(
  {
    name: Name,
    area: OrNull(Type.String()),
    summary: OrNull(Type.String({ description: 'What it is for' })),
    status: Status,
    reason: OrNull(Type.String({ description: 'Why it failed or waits' })),
    enabled: Type.Object({ value: Type.Boolean(), from: From }),
    settings: Type.Record(
      Type.String(),
      Type.Object({ value: Type.Unknown({ description: 'Of a secret: { "set": true }' }), from: From })
    ),
    settingsSchema: OrNull(
      Type.Record(Type.String(), Type.Unknown(), {
        description:
          'JSON Schema of its settings. `secret`: sealed, never shown again; `env`: the environment variable that sets it'
      })
    ),
    requires: Type.Array(Name),
    uses: Type.Array(Name),
    digest: Digest,
    desiredDigest: Digest,
    page: OrNull(
      Type.String({ description: 'Digest of its folder of pages as that is now; null where it has none' })
    ),
    instances: Type.Array(PackInstance),
    deadLettered: Type.Array(DeadLetteredFact)
  },
  { title: 'Pack' }
)
const PackChanges = Type.Object(
  {
    enabled: Type.Optional(Type.Boolean()),
    settings: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'Merged by name; null goes back to the default'
      })
    )
  },
  { title: 'PackChanges', minProperties: 1 }
)
const Latency = OrNull(
  Type.Object(
    { requests: Type.Integer(), p50: OrNull(Type.Number()), p99: OrNull(Type.Number()) },
    { title: 'Latency', description: 'Milliseconds' }
  )
)
const PackChange = Type.Object(
  {
    id: Type.String({ examples: ['change_01k4qz0000e0080000000000ab'] }),
    at: Time,
    actor: Type.String({ description: '`platform`: an instance by itself' }),
    instance: OrNull(Type.Integer()),
    pack: Name,
    action: Type.Enum(['enabled', 'disabled', 'configured', 'reloaded', 'installed', 'upgraded', 'removed']),
    outcome: Type.Enum(['applied', 'refused']),
    reason: OrNull(Type.String()),
    fromDigest: Digest,
    toDigest: Digest,
    migrations: Type.Array(Type.String({ description: 'Applied for it; taken away, where it was removed' })),
    buildMs: OrNull(Type.Number()),
    drained: OrNull(Type.Integer({ description: 'Requests that ended on the version before' })),
    dropped: OrNull(Type.Integer({ description: 'Requests that did not end in time' })),
    before: Latency,
    after: Latency
  },
  { title: 'PackChange' }
)

const RemovedPack = Type.Object(
  {
    id: Name,
    deleted: Type.Literal(true),
    settings: Type.Array(Type.String(), { description: 'Settings that were forgotten, by name' }),
    choices: Type.Integer({ description: 'Choices of projects that were forgotten' }),
    facts: Type.Integer({ description: 'Facts that waited for it or were dead-lettered' }),
    tables: Type.Array(Type.String(), { description: 'Tables that were dropped' }),
    migrations: Type.Array(Type.String(), { description: 'Migrations that are applied anew next time' })
  },
  { title: 'RemovedPack' }
)
const ReplayedFact = Type.Object(
  {
    id: Type.String(),
    handled: Type.Boolean(),
    error: OrNull(Type.String({ description: 'Why it was not, again' }))
  },
  { title: 'ReplayedFact' }
)

const tags = ['packs']
const params = Type.Object({ name: Type.String({ maxLength: 100 }) })

export const listPacks = {
  tags,
  summary: 'List packs',
  description: 'All of them on one page: `limit` and `cursor` are not needed.',
  response: { 200: Page(Pack) }
}
export const listChanges = {
  tags,
  summary: 'List changes of packs, newest first',
  querystring: Type.Object({
    ...Paging,
    pack: Type.Optional(Type.String({ maxLength: 100, description: 'Only those of this pack' }))
  }),
  response: { 200: Page(PackChange) }
}
export const readPack = { tags, summary: 'Get a pack', params, response: { 200: Data(Pack) } }
export const changePack = {
  tags,
  summary: 'Enable, disable or configure a pack',
  description: 'Applied before the reply; 409 with the reason when the change is refused.',
  params,
  body: PackChanges,
  response: { 200: Data(Pack) }
}
export const removePack = {
  tags,
  summary: 'Remove a pack',
  description:
    'Turned off on all instances, which may take as long as their requests, then forgotten: settings, choices, facts ' +
    'that wait for it, and its tables if so asked. It stays off while its folder is there, until it is enabled.',
  params,
  querystring: Type.Object({
    dropData: Type.Optional(Type.Boolean({ default: false, description: 'Whether its tables go too' }))
  }),
  response: { 200: Data(RemovedPack) }
}
export const reloadPack = {
  tags,
  summary: 'Load the version of a pack that lies in its folder now',
  params,
  response: { 200: Data(Pack) }
}
export const replayFact = {
  tags,
  summary: 'Hand a dead-lettered fact to its pack again',
  params: Type.Object({ ...params.properties, factId: Type.String() }),
  response: { 200: Data(ReplayedFact) }
}
