// budget: 9 s, because a process of its own is killed
// tier: whole
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { root } from '../../kernel/deployment.ts'
import { boot } from '../boot.ts'
import { createClient } from '../client.ts'
import { start } from '../packs/processes.ts'
import { until } from '../packs/stage.ts'

const FILES = 300
/** In the fourth batch of fifty. */
const HALTS_AT = 'page-170.md'
const LOCK = 990_018
/** What a process that is gone had begun is begun again after a second. */
const quick = { enabled: true, settings: { pollSeconds: 0.1, lostAfterSeconds: 3, drainSeconds: 1 } }
const packs = ['access', 'packs', 'agents', 'outgoing', 'jobs']
const on = { ...Object.fromEntries(packs.map((name) => [name, { enabled: true }])), jobs: quick }

const home = await boot(t, { packs, deployment: { enabled: false, packs: on } })
const ada = home.as('ada')
const { knex } = home.platform

/** An instance in a process of its own, which has the pack. */
async function another() {
  const child = fileURLToPath(new URL('../packs/child.ts', import.meta.url))
  const running = await start(t, child, {
    LOG_LEVEL: 'silent',
    PLATFORM_LIMIT_PER_MINUTE: '1000000',
    STAGE_CONNECTION: JSON.stringify(home.connection),
    STAGE_DEPLOYMENT: JSON.stringify({
      folders: [join(root, 'plugins')],
      enabled: false,
      packs: { ...on, knowledge: { enabled: true } }
    })
  })
  await running.ready
  return { ...running, client: createClient(running.url, 'ada', ada.key()) }
}

t.test(
  'kill -9 in the middle of an import: it is complete after that, and nothing is there twice',
  async (t) => {
    const { client, kill } = await another()
    const space = (await client.post('/v1/knowledge', { name: 'Handbook' })).body.data
    const url = `/v1/knowledge/${space.id}`
    await knex.raw(`create function halt() returns trigger language plpgsql as
    $$ begin perform pg_advisory_xact_lock(${LOCK}); return new; end $$`)
    await knex.raw(
      `create trigger halt before insert on knowledge.document for each row when (new.name = '${HALTS_AT}') execute function halt()`
    )
    const halted = await knex.transaction()
    t.teardown(async () => halted.isCompleted() || (await halted.rollback()))
    await halted.raw('select pg_advisory_xact_lock(?)', [LOCK])

    const files = Array.from({ length: FILES }, (_, n) => ({
      path: `f${n % 9}/page-${n}.md`,
      content: `# Page ${n}\n\nOf the quagga, the next is [[page-${n + 1}]]`
    }))
    const begun = (await client.post(`${url}/import`, { files })).body.data
    t.match(begun, { status: 'running', total: FILES })
    await until(
      () => knex('pg_locks').where({ locktype: 'advisory', objid: LOCK, granted: false }),
      (waiting) => waiting.length > 0
    )
    t.match((await client.get(`${url}/imports/${begun.id}`)).body.data, { status: 'running', created: 150 })
    await kill()
    await halted.rollback()
    await knex.raw('drop function halt cascade')

    t.match(await home.admin.put('/v1/packs/knowledge', { enabled: true }), { status: 200 })
    const ended = await until(
      async () => (await ada.get(`${url}/imports/${begun.id}`)).body.data,
      ({ status }) => status !== 'running'
    )
    t.match(ended, { status: 'completed', created: FILES, updated: 0, unchanged: 0, failed: 0, errors: [] })
    const documents = await knex('knowledge.document')
      .where({ spaceId: space.id })
      .select('path', 'version', 'status')
    t.same(documents.map(({ path }) => path).sort(), files.map(({ path }) => path).sort())
    t.ok(documents.every(({ version, status }) => version === 1 && status === 'ready'))
    for (const [table, count] of Object.entries({
      revision: FILES,
      passage: FILES,
      link: FILES,
      folder: 9,
      import: 1
    }))
      t.equal((await knex(`knowledge.${table}`).where({ spaceId: space.id })).length, count, table)
    t.same(await knex('knowledge.import_file'), [])
    const facts = (name: string) => knex('kernel.fact').where({ name })
    t.equal((await facts('knowledge.document_created')).length, FILES)
    t.equal((await facts('knowledge.imported')).length, 1)
    t.match((await ada.get(`${url}/graph?limit=1`)).body.data, { unresolved: [{ target: `page-${FILES}` }] })
    t.match((await ada.get(`${url}/search?query=quagga&limit=1`)).body.data, [{ text: /quagga/ }])
  }
)
