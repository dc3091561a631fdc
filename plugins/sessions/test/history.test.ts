import type { Hot } from 'agent-platform'
import t from 'tap'
import { openDatabase } from '../../../kernel/database/connect.ts'
import { boot } from '../../../test/boot.ts'
import { createHistoryStore } from '../stores/history.ts'
import { fill, fragments, say, sessionOf } from './testbed.ts'

type Scope = Parameters<typeof boot>[0]

async function prepare(t: Scope) {
  const booted = await boot(t, 'sessions')
  const { hot, close } = openDatabase(booted.connection)
  t.teardown(close)
  const session = await sessionOf(booted.as('ada'))
  const { listRecent } = createHistoryStore({ hot })
  const recent = async (limit: Partial<Parameters<typeof listRecent>[2]>, of = session.id) => {
    const { messages, left } = await listRecent('default', of, { characters: 1_000, messages: 100, ...limit })
    return { said: messages.map(({ content }) => content), left }
  }
  return { ...booted, hot, session, recent }
}

t.test('the last messages that fit, the oldest first', async (t) => {
  const { hot, session, recent, as } = await prepare(t)
  t.same(await recent({}), { said: [], left: 0 }, 'nothing was said')
  await say(hot, session.id, ['aaaa', 'bbb', 'cc', '', 'ddddd'])

  t.same(await recent({}), { said: ['aaaa', 'bbb', 'cc', '', 'ddddd'], left: 0 })
  t.same(await recent({ characters: 10 }), { said: ['bbb', 'cc', '', 'ddddd'], left: 1 })
  t.same(await recent({ characters: 9 }), { said: ['cc', '', 'ddddd'], left: 2 })
  t.same(await recent({ characters: 6 }), { said: ['', 'ddddd'], left: 3 }, 'none is left out in between')
  t.same(await recent({ messages: 2 }), { said: ['', 'ddddd'], left: 3 })
  t.same(await recent({ before: 2 }), { said: ['aaaa', 'bbb'], left: 0 })
  t.same(await recent({ before: 2, messages: 1 }), { said: ['bbb'], left: 1 })
  t.same(await recent({ before: 0 }), { said: [], left: 0 })
  t.same(await recent({ characters: 10.9, messages: 3.5 }), { said: ['cc', '', 'ddddd'], left: 2 })
  t.same(await recent({ characters: Number.POSITIVE_INFINITY }), {
    said: ['aaaa', 'bbb', 'cc', '', 'ddddd'],
    left: 0
  })
  for (const none of [{ characters: 0 }, { characters: -5 }, { messages: 0 }])
    t.same(await recent(none), { said: [], left: 5 }, JSON.stringify(none))
  t.same(await recent({}, (await sessionOf(as('ada'))).id), { said: [], left: 0 }, 'of another session')
})

t.test('the newest message is told whole, whatever else there is room for', async (t) => {
  const { hot, session, recent } = await prepare(t)
  const long = '0123456789'.repeat(10)
  await say(hot, session.id, ['before', long])
  for (const characters of [100, 25, 3]) t.same(await recent({ characters }), { said: [long], left: 1 })
})

t.test('what a message asks to be called is a part of its length', async (t) => {
  const { hot, session, recent, platform } = await prepare(t)
  await say(hot, session.id, ['before', 'asks', 'after'])
  const toolCalls = JSON.stringify([{ callId: 'call_1', toolName: 'write', args: { text: 'x'.repeat(500) } }])
  await platform
    .knex('sessions.message')
    .where({ sessionId: session.id, content: 'asks' })
    .update({ role: 'assistant', toolCalls })
  t.same(await recent({ characters: 500 }), { said: ['after'], left: 2 })
  t.same(await recent({ characters: 1_000 }), { said: ['before', 'asks', 'after'], left: 0 })
})

t.test('gaps count as messages that are left out, and hide none', async (t) => {
  const { hot, session, recent, platform } = await prepare(t)
  await say(hot, session.id, ['one'])
  await say(hot, session.id, ['two', 'three'], 'run_1')
  await hot.together(
    'test.gap',
    { extended: fragments.takePositions([{ project: 'default', id: session.id, count: 1 }]) },
    'select from extended'
  )
  await say(hot, session.id, ['four'])
  await platform.knex('sessions.message').where({ runId: 'run_1' }).delete()
  t.same(await recent({}), { said: ['one', 'four'], left: 0 })
  t.same(await recent({ messages: 1 }), { said: ['four'], left: 4 })
})

t.test('what it costs does not grow with the session', async (t) => {
  const booted = await prepare(t)
  const { hot, as, platform } = booted
  const [short, long] = [await sessionOf(as('ada')), await sessionOf(as('ada'))]
  await fill(booted, short.id, 60, 100)
  await fill(booted, long.id, 30_000, 100)
  await platform.knex.raw('vacuum analyze sessions.message')

  let asked: { text: string; values: readonly unknown[] } | undefined
  const listening: Pick<Hot, 'query'> = {
    query: (name, text, values) => {
      asked = { text, values }
      return hot.query(name, text, values)
    }
  }
  const { listRecent } = createHistoryStore({ hot: listening as Hot })
  const costOf = async (id: string, characters: number) => {
    const { messages } = await listRecent('default', id, { characters, messages: 50 })
    const { text, values } = asked as NonNullable<typeof asked>
    const name = `test.explain.${id}.${characters}`
    const [row] = await hot.query<{ 'QUERY PLAN': [{ Plan: Node }] }>(
      name,
      `explain (analyze, buffers, format json) ${text}`,
      values
    )
    const plan = (row as NonNullable<typeof row>)['QUERY PLAN'][0].Plan
    const leaf = scanOf(plan) as Node
    t.match(leaf, { 'Node Type': 'Index Scan', 'Index Name': 'message_pkey', 'Scan Direction': 'Backward' })
    return {
      messages: messages.length,
      rows: leaf['Actual Rows'],
      blocks: plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
    }
  }
  const [few, many] = [await costOf(short.id, 100_000), await costOf(long.id, 100_000)]
  t.match(
    [few, many],
    [
      { messages: 50, rows: 50 },
      { messages: 50, rows: 50 }
    ],
    'no more rows than messages'
  )
  t.ok(
    many.blocks <= few.blocks + 3,
    `${many.blocks} pages against ${few.blocks}: but for the depth of the index`
  )
  t.match(await costOf(long.id, 1_000), { messages: 10, rows: 50 })
})

interface Node {
  readonly 'Node Type': string
  readonly 'Index Name'?: string
  readonly 'Actual Rows': number
  readonly 'Shared Hit Blocks': number
  readonly 'Shared Read Blocks': number
  readonly Plans?: readonly Node[]
}
/** The scan of the messages that are read; others are of messages of the system. */
function scanOf(node: Node): Node | undefined {
  if (node['Index Name'] === 'message_pkey') return node
  for (const plan of node.Plans ?? []) {
    const found = scanOf(plan)
    if (found) return found
  }
  return undefined
}
