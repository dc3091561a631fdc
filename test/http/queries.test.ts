import t from 'tap'
import { boot } from '../boot.ts'
import { probeFolder } from './probe.ts'
import { refused } from './refused.ts'
import { requestText, say } from './wire.ts'

t.test('queries', async (t) => {
  const { as, url } = await boot(t, { packs: ['probe', 'agents'], folders: [await probeFolder(t)] })
  const ada = as('ada')
  const query = (text: string) => ada.get(`/v1/probe/query?${text}`)

  t.match(await query('count=5&on=true&name=a%20b&list=x'), {
    status: 200,
    body: { data: { count: 5, on: true, name: 'a b', list: ['x'] } }
  })
  t.match(await query('list=x&list=y'), { status: 200, body: { data: { list: ['x', 'y'] } } })
  t.match(await query('name=5&on=false'), { status: 200, body: { data: { name: '5', on: false } } })
  t.match(await query('name=%E2%82%AC+1'), { status: 200, body: { data: { name: '€ 1' } } })

  for (const [text, param] of [
    ['count=five', 'count'],
    ['count=', 'count'],
    ['count=0', 'count'],
    ['count=1.5', 'count'],
    ['count=1e400', 'count'],
    ['count=1&count=2', 'count'],
    ['on=yes', 'on'],
    ['on=', 'on'],
    ['name=a&name=b', 'name'],
    ['cuont=5', 'cuont'],
    ['__proto__=1', '__proto__'],
    ['constructor=1', 'constructor'],
    ['toString', 'toString'],
    ['name=a%00b', 'name'],
    ['list=a&list=b%00', 'list'],
    ['count[]=1', 'count[]'],
    ['count=%zz', 'count']
  ])
    refused(t, await query(text as string), 400, { param: param as string }, text)
  refused(t, await query('na%00me=a'), 400, {}, 'NUL in a name')

  for (const text of ['name=%', 'name=%zz', 'name=%ED%A0%80', 'name=%FF']) {
    const auth = { authorization: `Bearer ${await ada.key()}` }
    const { status } = await say(t, url, requestText('GET', `/v1/probe/query?${text}`, auth))
    t.ok(status === 200 || status === 400, `${text}: ${status}`)
  }
  refused(t, await ada.get('/v1/auth/me?verbose=1'), 404, {}, 'a pack that is off')
  const agent = await ada.agent()
  refused(
    t,
    await ada.get(`/v1/agents/${agent.id}?full=1`),
    400,
    { param: 'full' },
    'a route without a query'
  )
  refused(t, await ada.post('/v1/agents?dry=1', { name: 'x' }), 400, { param: 'dry' })
  refused(t, await ada.post('/v1/agents?dry=1', { nmae: 'x' }), 400, {}, 'both')
})

t.test('pages and their cursors', async (t) => {
  const { as } = await boot(t, 'goals')
  const ada = as('ada')
  const made: string[] = []
  for (let count = 0; count < 5; count++) made.unshift((await ada.agent({ name: `Agent ${count}` })).id)

  const ids: string[] = []
  let cursor: string | null = ''
  let pages = 0
  do {
    const { status, body } = await ada.get(`/v1/agents?limit=2${cursor && `&cursor=${cursor}`}`)
    t.equal(status, 200)
    t.ok(body.data.length <= 2)
    ids.push(...body.data.map(({ id }: { id: string }) => id))
    cursor = body.nextCursor
    pages++
  } while (cursor !== null)
  t.strictSame(ids, made, 'every one once, newest first')
  t.equal(pages, 3)
  t.match((await ada.get('/v1/agents?limit=5')).body, { nextCursor: null }, 'no empty page at the end')

  const { body } = await ada.get('/v1/agents?limit=2')
  const good: string = body.nextCursor
  for (const [bad, name] of [
    ['', 'empty'],
    ['nonsense', 'nonsense'],
    [`${good}x`, 'longer'],
    [good.slice(0, -1), 'shorter'],
    [good.toUpperCase(), 'changed'],
    [encodeURIComponent(`${good}=`), 'padded'],
    [Buffer.from("agent_x' or 1=1").toString('base64url'), 'SQL'],
    [Buffer.from('agent_01k4qz0000e0080000000000a\0').toString('base64url'), 'NUL inside'],
    ['a%00', 'NUL'],
    ['a'.repeat(201), 'endless'],
    [`${good}&cursor=${good}`, 'twice']
  ] as const)
    refused(t, await ada.get(`/v1/agents?cursor=${bad}`), 400, { param: 'cursor' }, name)

  await ada.post('/v1/auth/api-keys', { name: 'one' })
  await ada.post('/v1/auth/api-keys', { name: 'two' })
  const keys = await ada.get('/v1/auth/api-keys?limit=1')
  refused(
    t,
    await ada.get(`/v1/agents?cursor=${keys.body.nextCursor}`),
    400,
    { param: 'cursor' },
    'of another list'
  )
  for (const limit of ['0', '101', '-1', 'all', '1.5', ''])
    refused(t, await ada.get(`/v1/agents?limit=${limit}`), 400, { param: 'limit' }, `limit=${limit}`)

  const eve = as('eve')
  await eve.agent()
  const theirs = await eve.get(`/v1/agents?cursor=${good}`)
  t.strictSame(theirs.body.data, [], 'a cursor opens nothing of another list')
})

t.test('ids', async (t) => {
  const { as, admin, anyone } = await boot(t)
  const ada = as('ada')
  const agent = await ada.agent()
  const { body } = await ada.post('/v1/goals', { agentId: agent.id, title: 'One' })
  const goal: string = body.data.id
  t.match(agent.id, /^agent_[0-7][0-9a-hjkmnp-tv-z]{25}$/)
  t.match(goal, /^goal_[0-7][0-9a-hjkmnp-tv-z]{25}$/)

  const other = agent.id.replace('agent_', 'goal_')
  for (const id of [
    goal,
    other,
    'agent_',
    'agent_nope',
    `${agent.id}0`,
    agent.id.toUpperCase(),
    agent.id.slice(6),
    `%20${agent.id}`,
    '1',
    '__proto__',
    '..%2f..%2fetc',
    '%F0%9F%98%80',
    'a'.repeat(600),
    encodeURIComponent("agent_x'; drop table agents.agent; --")
  ]) {
    refused(t, await ada.get(`/v1/agents/${id}`), 404, {}, id)
    refused(t, await ada.delete(`/v1/agents/${id}`), 404, {}, id)
  }
  refused(t, await ada.get(`/v1/goals/${agent.id}`), 404)
  refused(t, await ada.get(`/v1/goals/${goal.replace('goal_', 'agent_')}`), 404)
  refused(t, await ada.delete(`/v1/auth/api-keys/${agent.id}`), 404)
  refused(t, await admin.get(`/v1/packs/${agent.id}`), 404)
  for (const path of ['agents/a%00b', 'agents/%00', 'goals/%00']) {
    refused(t, await ada.get(`/v1/${path}`), 404, {}, path)
    refused(t, await ada.delete(`/v1/${path}`), 404, {}, path)
  }
  refused(t, await ada.post('/v1/goals', { agentId: goal, title: 'x' }), 404, { param: '/agentId' })
  refused(t, await anyone.get('/v1/agents/a%00b'), 401, {}, 'who asks comes first')
})
