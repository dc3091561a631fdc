import t from 'tap'
import { openDatabase } from '../../../kernel/database/connect.ts'
import { boot } from '../../../test/boot.ts'
import type { Sessions } from '../contract.ts'
import { createHistoryStore } from '../stores/history.ts'
import { createSummaryStore } from '../stores/summaries.ts'
import { fill, fragments, message, say, sessionOf } from './testbed.ts'

const booted = boot(t, 'sessions')

let database: ReturnType<typeof openDatabase> | undefined
t.teardown(() => database?.close())

async function prepare() {
  const { platform, as, connection } = await booted
  database ??= openDatabase(connection)
  const { hot } = database
  const session = await sessionOf(as('ada'))
  const { listRecent } = createHistoryStore({ hot })
  const recent = (limit: Partial<Parameters<Sessions['recent']>[2]> = {}) =>
    listRecent('default', session.id, { characters: 10_000, messages: 100, ...limit })
  const { insert } = createSummaryStore({ transaction: (work) => platform.knex.transaction(work) })
  const summarize = (until: number, content = `until ${until}`) =>
    insert({ project: 'default', owner: 'ada', sessionId: session.id, content, untrusted: false, until })
  const full = async () => (await as('ada').get(`/v1/sessions/${session.id}/full`)).body.data.messages
  return { hot, session, recent, summarize, full, as }
}

t.test('a summary stands for the messages up to its position, which stay', async (t) => {
  const { hot, session, recent, summarize, full } = await prepare()
  await say(hot, session.id, ['one', 'two', 'three', 'four'])
  const made = await summarize(1)
  await say(hot, session.id, ['five'])
  t.match(await recent(), {
    messages: [{ content: 'three' }, { content: 'four' }, { content: 'five' }],
    positions: [2, 3, 5],
    left: 0,
    summary: { content: 'until 1', untrusted: false }
  })
  t.match(await recent({ messages: 1 }), { messages: [{ content: 'five' }], left: 3 })
  t.match(await recent({ before: 4 }), { messages: [{ content: 'three' }, { content: 'four' }] })
  const messages = await full()
  t.equal(messages.length, 6)
  t.match(messages[4], { id: made?.id, role: 'system', isSummary: true, runId: null })
  t.notOk('isSummary' in messages[0])
})

t.test('the latest summary counts, and one that stands for less is refused', async (t) => {
  const { hot, session, recent, summarize } = await prepare()
  await say(hot, session.id, ['one', 'two', 'three', 'four'])
  t.ok(await summarize(1))
  t.equal(await summarize(0), undefined)
  t.equal(await summarize(1), undefined)
  t.ok(await summarize(2))
  t.match(await recent(), { messages: [{ content: 'four' }], summary: { content: 'until 2' }, left: 0 })
  t.equal(await summarize(1_000), undefined, 'nor one for what was not said')
})

t.test('messages of the system stay behind a summary', async (t) => {
  const { hot, session, recent, summarize } = await prepare()
  const appended = [
    message(session.id, { role: 'system', content: 'Be kind' }),
    message(session.id, { content: 'Hello', offset: 1 }),
    message(session.id, { content: 'Bye', offset: 2 })
  ]
  await hot.together(
    'test.system',
    {
      extended: fragments.takePositions([{ project: 'default', id: session.id, count: 3 }]),
      message: fragments.insertMessages(appended, 'extended')
    },
    'select position from extended'
  )
  await summarize(1)
  t.match(await recent(), { messages: [{ role: 'system', content: 'Be kind' }, { content: 'Bye' }], left: 0 })
  t.equal((await recent()).messages.length, 2)
})

t.test('a session that is gone gets no summary', async (t) => {
  const { session, summarize, as } = await prepare()
  await fill(await booted, session.id, 10)
  await as('ada').delete(`/v1/sessions/${session.id}`)
  t.equal(await summarize(3), undefined)
})
