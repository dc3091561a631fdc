import type { Fragment } from 'agent-platform'
import { newId } from 'agent-platform'
import t from 'tap'
import { openDatabase } from '../../../kernel/database/connect.ts'
import { boot } from '../../../test/boot.ts'
import { begun, fragments, message, say, sessionOf, waiting } from './testbed.ts'

type Scope = Parameters<typeof boot>[0]

/** A statement of another pack: what it admits goes through a table of its own. */
async function prepare(t: Scope) {
  const booted = await boot(t, 'sessions')
  const { hot, close } = openDatabase(booted.connection)
  t.teardown(close)
  const { knex } = booted.platform
  await knex.raw('create table public.admitted (session text primary key)')
  const given = (ids: readonly string[]) => ({
    text: `insert into public.admitted select id from unnest($1::text[]) as c(id) on conflict do nothing
      returning session`,
    values: [ids]
  })
  const messages = async (session: string): Promise<[number, string][]> =>
    (await knex('sessions.message').where({ sessionId: session }).orderBy('position')).map((row) => [
      row.position,
      row.content
    ])
  return { ...booted, hot, knex, given, messages }
}

interface Placed {
  readonly session: string
  readonly position: number
}

t.test('sessions begin and go on in a statement of another pack', async (t) => {
  const { as, hot, given, messages, knex } = await prepare(t)
  const known = await sessionOf(as('ada'))
  await say(hot, known.id, ['One', 'Two'])
  const [fresh, refused, gone] = [newId('session'), newId('session'), newId('session')]

  const appended = [
    message(fresh, { content: 'A' }),
    message(fresh, { content: 'B', offset: 1, role: 'assistant', runId: 'run_1' }),
    message(known.id, { content: 'Three', id: newId('message') }),
    message(refused, { content: 'never' }),
    message(gone, { content: 'never' })
  ]
  const begin = [begun(fresh, { count: 2, title: 'New', initiator: 'ann' }), begun(refused)]
  const extend = [known.id, gone].map((id) => ({ project: 'default', id, count: 1 }))
  const rows = await hot.together<Placed>(
    'test.turns',
    {
      admitted: given([fresh, known.id, gone]),
      begun: fragments.insertSessions(begin, 'admitted'),
      extended: fragments.takePositions(extend, 'admitted'),
      placed: { text: 'select * from begun union all select * from extended', values: [] },
      message: fragments.insertMessages(appended, 'placed')
    },
    'select session, position from placed order by position'
  )
  t.same(rows, [
    { session: fresh, position: 0 },
    { session: known.id, position: 2 }
  ])
  t.same(await messages(fresh), [
    [0, 'A'],
    [1, 'B']
  ])
  t.same(await messages(known.id), [
    [0, 'One'],
    [1, 'Two'],
    [2, 'Three']
  ])
  t.equal((await knex('sessions.message')).length, 5, 'nothing for a session that is not there')
  const [row] = await knex('sessions.session').where({ id: fresh })
  t.match(row, { owner: 'ada', initiator: 'ann', title: 'New', metadata: {}, version: 1, nextPosition: 2 })
  const [last] = await knex('sessions.message').where({ sessionId: fresh, position: 1 })
  t.match(last, { messageId: appended[1]?.id, owner: 'ada', role: 'assistant', runId: 'run_1' })
})

t.test('two statements that extend a session at once take different positions', async (t) => {
  const booted = await prepare(t)
  const { as, hot, knex, given, messages } = booted
  const ids = [(await sessionOf(as('ada'))).id, (await sessionOf(as('ada'))).id]

  const holding = await knex.transaction()
  await holding('sessions.session').whereIn('id', ids).forUpdate().select('id')
  // The second one in the other order: each waits for the other unless both lock in the same one.
  const turns = [ids, ids.toReversed()].map((order, n) =>
    hot.together<Placed>(
      `test.turn.${n}`,
      {
        ...(n === 0 && { admitted: given(ids) }),
        extended: fragments.takePositions(
          order.map((id) => ({ project: 'default', id, count: 2 })),
          n === 0 ? 'admitted' : undefined
        ),
        message: fragments.insertMessages(
          order.flatMap((id) => [0, 1].map((offset) => message(id, { offset, content: `${n}.${offset}` }))),
          'extended'
        )
      },
      'select session, position from extended order by session'
    )
  )
  await Promise.race([waiting(booted, 2), Promise.all(turns)])
  await holding('sessions.session').whereIn('id', ids).increment('nextPosition', 1)
  await holding.commit()

  const positions = (await Promise.all(turns)).flat().map(({ session, position }) => `${session} ${position}`)
  t.same(positions.sort(), ids.flatMap((id) => [`${id} 1`, `${id} 3`]).sort())
  for (const id of ids) {
    const said = await messages(id)
    t.same(
      said.map(([position]) => position),
      [1, 2, 3, 4]
    )
    t.same(said.map(([, content]) => content).sort(), ['0.0', '0.1', '1.0', '1.1'])
  }
})

t.test('many at a time, in any order, from everywhere', async (t) => {
  const { as, hot, messages } = await prepare(t)
  const ada = as('ada')
  const agent = await ada.agent()
  const sessions = await Promise.all(Array.from({ length: 6 }, () => sessionOf(ada, { agentId: agent.id })))
  const turn = async (n: number) => {
    const some = sessions.map(({ id }) => id).filter((_, index) => (index + n) % 3 > 0)
    if (n % 2) some.reverse()
    await hot.together(
      'test.many',
      {
        extended: fragments.takePositions(some.map((id) => ({ project: 'default', id, count: 1 }))),
        message: fragments.insertMessages(
          some.map((id) => message(id, { content: String(n) })),
          'extended'
        )
      },
      'select from extended'
    )
  }
  await Promise.all(Array.from({ length: 60 }, (_, n) => turn(n)))
  for (const [index, { id }] of sessions.entries()) {
    const said = await messages(id)
    t.same(
      said.map(([position]) => position),
      Array.from({ length: 40 }, (_, n) => n)
    )
    t.equal(new Set(said.map(([, content]) => content)).size, 40, `session ${index}`)
  }
})

t.test('a session of another project is not extended', async (t) => {
  const { as, hot } = await prepare(t)
  const { id } = await sessionOf(as('ada'))
  const extended = fragments.takePositions([{ project: 'other', id, count: 1 }])
  t.same(await hot.together('test.other', { extended }, 'select * from extended'), [])
})

t.test('what PostgreSQL cannot keep is replaced, empty batches do nothing', async (t) => {
  const { as, hot, messages } = await prepare(t)
  const { id } = await sessionOf(as('ada'))
  await say(hot, id, ['a\0b', ''])
  t.same(await messages(id), [
    [0, 'a\ufffdb'],
    [1, '']
  ])
  const rows = await hot.together(
    'test.nothing',
    {
      extended: fragments.takePositions([]),
      begun: fragments.insertSessions([], 'extended'),
      message: fragments.insertMessages([], 'extended')
    },
    'select * from extended union all select * from begun union all select * from message'
  )
  t.same(rows, [])
})

t.test('texts are the same each time, and hold nothing but names', async (t) => {
  const id = newId('session')
  const texts = (given: string, sessions: number) => [
    fragments.insertSessions(Array(sessions).fill(begun(id)), given).text,
    fragments.takePositions(Array(sessions).fill({ project: 'default', id, count: 1 }), given).text,
    fragments.insertMessages(Array(sessions).fill(message(id)), given).text
  ]
  for (const sessions of [0, 2]) t.same(texts('run', sessions), texts('run', 7))
  t.same(texts('run', 1), texts('run', 1))
  t.not(texts('run', 1)[0], texts('other', 1)[0])
  for (const given of ['', 'a b', 'x"', 'run; drop table x', 'run g, pg_class'])
    for (const make of [fragments.insertSessions, fragments.takePositions, fragments.insertMessages])
      t.throws(() => make([], given), { name: 'TypeError', message: /given/ }, given)
})

t.test('plans go by the keys, whatever the planner believes of the tables', async (t) => {
  const { as, hot, knex } = await prepare(t)
  /** Of a statement with that fragment, as a connection of the hot path keeps it. */
  const planOf = async ({ text }: Fragment) => {
    const name = newId('plan')
    const types = [...new Set(text.match(/\$\d+::\w+(?:\[\])?/g))].sort().map((cast) => cast.split('::')[1])
    const given = `given as (select session, 0 as position from public.admitted)`
    // One after the other, so that both are on the same connection.
    const prepared = `prepare ${name}(${types}) as with ${given}, f as (${text}) select * from f`
    await hot.query(newId('prepare'), prepared, [])
    const explained = `explain execute ${name}(${types.map(() => 'null')})`
    const rows = await hot.query<{ 'QUERY PLAN': string }>(newId('explain'), explained, [])
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  }
  const sizes = { empty: 0, 'one row': 1, '30 rows': 29, 'many rows': 5_000 }
  const agentId = (await as('ada').agent()).id
  for (const [title, more] of Object.entries(sizes)) {
    await knex.raw(
      `insert into sessions.session (project, id, owner, "agentId", initiator)
        select 'default', 'session_' || n || ?, 'ada', ?, 'user_' || n from generate_series(1, ?::int) n`,
      [title, agentId, more]
    )
    if (more > 0) await knex.raw('analyze sessions.session, sessions.message')
    for (const given of [undefined, 'given']) {
      const plan = await planOf(fragments.takePositions([], given))
      const used = plan.matchAll(/Index Scan (?:on|using) (session_\w+).*\n +Index Cond: (.*ANY)?/g)
      const once = ['session_id_index', '((id)::text = ANY']
      t.same(
        [...used].map(([, ...how]) => how),
        [once, once],
        `${title}: to lock them, and to change them`
      )
      t.notMatch(plan, /Nested Loop/, title)
      const one = await planOf(
        fragments.takePositions([{ project: 'default', id: 'session_1', count: 1 }], given)
      )
      t.match(one, /Index Scan using session_id_index.*\n +Index Cond: \(\(id\)::text = /, `${title}: one`)
      t.notMatch(one, /Seq Scan on session/, `${title}: one`)
    }
    const begin = await planOf(fragments.insertSessions([], 'given'))
    const append = await planOf(fragments.insertMessages([], 'given'))
    for (const one of [
      await planOf(fragments.insertSessions([begun('session_1')], 'given')),
      await planOf(fragments.insertMessages([message('session_1')], 'given'))
    ])
      t.notMatch(one, /Scan[^\n]* on (session|message) /, `${title}: nothing is read for one`)
    for (const plan of [begin, append]) {
      t.notMatch(plan, /Scan[^\n]* on (session|message) /, `${title}: nothing is read`)
      t.equal(plan.match(/Aggregate/g)?.length, 1, `${title}: what is given is read once`)
    }
  }
})
