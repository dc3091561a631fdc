import t from 'tap'
import { boot } from '../boot.ts'
import type { Client } from '../client.ts'
import { until } from '../packs/stage.ts'
import { part, upload } from '../uploads.ts'

const { as, platform, settled } = await boot(t, 'knowledge', 'extraction', 'files', 'library', 'runs')
const ada = as('ada')
const SECRET = 'The vault opens at midnight.'
const file = (await upload(ada, [part('vault.md', SECRET)])).body.data as { id: string; sha256: string }
const item = await until(
  async () => (await ada.get('/v1/library')).body.data[0] as { id: string } | undefined,
  (found) => found !== undefined
)
const forbids = (error: object = {}) => ({ status: 403, body: { error: { code: 'not_owner', ...error } } })

const agentOfAda = await ada.agent()
const service = as('desk', { type: 'service' })
const forEve = { 'x-initiator': 'eve' }
/** Who knows the ids of a file and its item, and may read neither. */
const strangers: readonly [string, Client, Record<string, string>?][] = [
  ['a user of the same project', as('eve')],
  ['a user of another project', as('yves', { project: 'elsewhere' })],
  ['a service of another project', as('robot', { type: 'service', project: 'elsewhere' })],
  ['a service that acts for someone else', service, forEve],
  ['an agent of the owner', as(agentOfAda.id, { type: 'agent', owner: 'ada' })]
]

for (const [who, client, headers] of strangers)
  t.test(`${who} gets nothing of a file by its id`, async (t) => {
    const isAgent = client.id === agentOfAda.id
    for (const path of [`files/${file.id}`, `files/${file.id}/content`])
      t.match(await client.get(`/v1/${path}`, headers), forbids(), path)
    for (const path of ['', '/preview', '/provenance', '/download', '/grants'])
      t.match(await client.get(`/v1/library/${item?.id}${path}`, headers), forbids(), `item${path}`)
    t.match(await client.patch(`/v1/library/${item?.id}`, { name: 'mine' }, headers), forbids())
    t.notMatch((await client.get('/v1/library', headers)).text, item?.id)

    const agentId = isAgent
      ? agentOfAda.id
      : (await client.post('/v1/agents', { name: 'Own' }, headers)).body.data.id
    const messages = [{ role: 'user', content: 'What does it say?' }]
    for (const path of ['run', 'run/stream'])
      t.match(
        await client.post(
          `/v1/agents/${path}`,
          { agentId, messages, attachments: [{ fileId: file.id }] },
          headers
        ),
        forbids({ param: '/attachments/0/fileId' }),
        path
      )
    const space = (await client.post('/v1/knowledge', { name: 'Own' }, headers)).body.data
    const files = `/v1/knowledge/${space.id}`
    t.match(
      await client.post(`${files}/import`, { fileIds: [file.id] }, headers),
      forbids({ param: '/fileIds/0' })
    )

    // What is sent back with an edit is dropped where it cannot be edited: no id of a file leads anywhere.
    const own = (await client.post(`${files}/documents`, { title: 'A', content: 'a' }, headers)).body.data
    await client.patch(`${files}/documents/${own.id}`, { fileId: file.id, title: 'B' }, headers)
    t.match((await client.get(`${files}/documents/${own.id}`, headers)).body.data, {
      title: 'B',
      fileId: null
    })
    const mine = (await upload(client, [part('mine.txt', 'mine')], headers)).body.data
    await settled()
    const [listed] = (await client.get('/v1/library', headers)).body.data
    t.match(listed, { name: 'mine.txt', origin: { id: mine.id } })
    const others = { fileId: file.id, sha256: file.sha256 }
    t.match(await client.patch(`/v1/library/${listed.id}`, { ...others, name: 'B' }, headers), {
      status: 400
    })
    t.match(await client.get(`/v1/library/${listed.id}/preview`, headers), { status: 200, text: 'mine' })

    t.match(
      await upload(client, [part('a.png', 'x')], headers, `/v1/agents/${(await ada.agent()).id}/avatar`),
      forbids()
    )
  })

t.test('what was shared of an item is no right to its file', async (t) => {
  const eve = as('eve')
  await ada.post(`/v1/library/${item?.id}/grants`, { subjectType: 'user', subjectId: 'eve', level: 'manage' })
  t.match(await eve.get(`/v1/library/${item?.id}/preview`), { status: 200 })
  t.match(await eve.get(`/v1/files/${file.id}/content`), forbids())
  const { id: agentId } = await eve.agent()
  const messages = [{ role: 'user', content: 'What does it say?' }]
  const body = { agentId, messages, attachments: [{ fileId: file.id }] }
  t.match(await eve.post('/v1/agents/run', body), forbids({ param: '/attachments/0/fileId' }))
})

t.test('and none of them has a word of it', async (t) => {
  const { knex } = platform
  for (const [table, column] of [
    ['sessions.message', 'content'],
    ['knowledge.content', 'text'],
    ['knowledge.passage', 'text']
  ] as const)
    t.same(await knex(table).whereLike(column, '%midnight%').select(column), [], table)
})
