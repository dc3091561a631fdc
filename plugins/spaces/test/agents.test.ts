// budget: 10 s, because agents answer by runs
import t from 'tap'
import { until } from '../../../test/packs/stage.ts'
import { follow, join, local, make, makeSpace, say, town } from './testbed.ts'

const env = { SPACES_AGENT_TURNS: '2', SPACES_ANSWERS_PER_MESSAGE: '5' }
const booted = await town(t, { env })
const { as, url, settled, platform } = booted
const { knex } = platform
const [ada, bob] = [as('ada'), as('bob')]
const refuses = (status: number, code?: string, param?: string) => ({
  status,
  body: { error: { ...(code && { code }), ...(param && { param }) } }
})

const bring = async (spaceId: string, name: string, answers = 'mentioned', fields: object = {}) => {
  const agent = await ada.agent({ ...local, name, ...fields })
  const member = await make(ada, `/v1/spaces/${spaceId}/members`, {
    subjectType: 'agent',
    subjectId: agent.id,
    answers
  })
  return { agent, member }
}
const messagesOf = async (spaceId: string) =>
  (await ada.get(`/v1/spaces/${spaceId}/messages?limit=100`)).body.data.toReversed()
/** All that was ordered has come to its end. */
const quiet = async (spaceId: string) => {
  await until(
    async () => {
      await settled()
      return knex('spaces.answer').where({ spaceId }).whereIn('status', ['ordered', 'begun'])
    },
    ({ length }) => length === 0
  )
}

t.test('an agent answers when it is mentioned, always, or never', async (t) => {
  const { id } = await makeSpace(ada)
  await join(ada, id, 'bob')
  const { member, agent } = await bring(id, 'Pilot')
  await bring(id, 'Mute', 'never')
  const reader = await follow(t, url, ada, id)
  await say(ada, id, 'Good morning')
  const asked = await say(ada, id, '@pilot how are you?\n/say Fine, thanks')
  const { message } = await reader.until((event) => event.message?.authorType === 'agent')
  t.match(message, {
    content: 'Fine, thanks',
    replyToId: asked.id,
    authorName: 'Pilot',
    memberId: member.id,
    runId: /^run_/
  })
  t.match((await ada.get(`/v1/agents/runs/${message.runId}`)).body.data, {
    agentId: agent.id,
    status: 'completed'
  })
  await say(ada, id, '@Mute say something')
  const third = await say(bob, id, '@Pilot\n/say Aye')
  await reader.until((event) => event.message?.replyToId === third.id)
  await quiet(id)
  t.equal((await messagesOf(id)).length, 6)
  const sessions = await knex('runs.run').where({ agentId: agent.id }).distinct('sessionId')
  t.equal(sessions.length, 1, 'in one session')
  const { messages } = (await ada.get(`/v1/sessions/${sessions[0].sessionId}/full`)).body.data
  t.match(
    messages
      .filter((it: { role: string }) => it.role === 'user')
      .map((it: { content: string }) => it.content),
    ['Good morning', /how are you/, '@Mute say something', /^bob: @Pilot/]
  )
  t.same(
    await knex('sessions.message')
      .where({ ...sessions[0], untrusted: true })
      .select('content'),
    [{ content: 'bob: @Pilot\n/say Aye' }]
  )
  const members = `/v1/spaces/${id}/members/${member.id}`
  t.match(await bob.put(members, { answers: 'always' }), refuses(403, 'not_granted'))
  t.match(await ada.put(members, { answers: 'often' }), refuses(400, undefined, '/answers'))
  t.match(await ada.put(members, { answers: 'always' }), {
    status: 200,
    body: { data: { answers: 'always' } }
  })
  const last = await say(bob, id, '/say Without a name')
  t.match(await reader.until((event) => event.message?.replyToId === last.id), {
    message: { content: 'Without a name' }
  })
})

t.test('an agent that has nothing to say says nothing, and one that cannot is told of', async (t) => {
  const { id } = await makeSpace(ada)
  await bring(id, 'Quiet', 'always')
  await say(ada, id, '/say NO_REPLY')
  await quiet(id)
  t.equal((await messagesOf(id)).length, 1)
  t.match(await knex('spaces.answer').where({ spaceId: id }), [{ status: 'silent' }])
  const reader = await follow(t, url, ada, id)
  const failing = await say(ada, id, '/fail 400 No')
  t.match(await reader.until(({ type }) => type === 'answer_failed'), { messageId: failing.id, code: String })
  t.equal((await messagesOf(id)).length, 2)
})

t.test('agents do not talk to each other for ever', async (t) => {
  const two = await makeSpace(ada)
  for (const name of ['Tick', 'Tock']) await bring(two.id, name, 'always')
  await say(ada, two.id, 'Begin')
  await quiet(two.id)
  const turns = await knex('spaces.message').where({ spaceId: two.id }).orderBy('turn').pluck('turn')
  t.same(turns, [0, 1, 1, 2, 2], 'two turns, as the setting says')
  const three = await makeSpace(ada)
  for (const name of ['Tick', 'Tack', 'Tock']) await bring(three.id, name, 'always')
  await say(ada, three.id, 'Begin')
  await quiet(three.id)
  t.equal((await messagesOf(three.id)).length, 1 + 5, 'five answers, as the setting says')
  await say(ada, three.id, 'And again')
  await quiet(three.id)
  t.equal((await messagesOf(three.id)).length, 2 * (1 + 5), 'a person begins anew')
})

t.test('agents read and post by tools, where they are members', async (t) => {
  const { id } = await makeSpace(ada, { name: 'Bridge' })
  const { agent, member } = await bring(id, 'Mate')
  await join(ada, id, 'bob')
  await say(bob, id, 'The anchor is up')
  const run = (client: typeof ada, content: string) =>
    client.post('/v1/agents/run', { agentId: agent.id, messages: [{ role: 'user', content }] })
  t.match((await run(ada, '/call space_read {}')).body.data.content, /The anchor is up/)
  t.match((await run(ada, '/call space_post {"content": "Full ahead"}')).body.data, { status: 'completed' })
  const posted = (await messagesOf(id)).at(-1)
  t.match(posted, { content: 'Full ahead', authorType: 'agent', memberId: member.id, runId: /^run_/ })
  t.match(await knex('spaces.message').where({ id: posted.id }), [{ turn: 1 }])
  const other = await makeSpace(ada, { name: 'Cellar' })
  for (const call of [
    `space_read {"spaceId": "${other.id}"}`,
    `space_post {"spaceId": "${other.id}", "content": "x"}`
  ])
    t.match((await run(ada, `/call ${call}`)).body.data.content, /no space that you are in/)
  t.match((await run(ada, '/call space_read {"limit": 1000}')).body.data.content, /1 to 50/)
  // Of a service that lends its agent to others: what the agent may read is not theirs.
  const mill = as('mill', { type: 'service' })
  const lent = await mill.agent(local)
  const secret = await makeSpace(mill, { name: 'Vault' })
  await make(mill, `/v1/spaces/${secret.id}/members`, { subjectType: 'agent', subjectId: lent.id })
  await say(mill, secret.id, 'The code is 4711')
  const asked = { agentId: lent.id, messages: [{ role: 'user', content: '/call space_read {}' }] }
  t.match((await mill.post('/v1/agents/run', asked)).body.data.content, /4711/)
  const asEve = await mill.post('/v1/agents/run', asked, { 'x-initiator': 'eve' })
  t.equal(asEve.status, 200)
  t.notMatch(asEve.text, /4711/)
  await ada.delete(`/v1/spaces/${id}/members/${member.id}`)
  t.notMatch((await run(ada, '/call space_read {}')).text, /anchor/)
})

t.test('an agent with a key of its own is a member like any other, and never manages', async (t) => {
  const { id } = await makeSpace(ada)
  const { agent } = await bring(id, 'Sailor', 'never')
  const itself = as(agent.id, { type: 'agent', owner: 'ada' })
  t.match(await say(itself, id, 'Here'), { authorType: 'agent', authorId: agent.id })
  t.match(await itself.put(`/v1/spaces/${id}`, { name: 'Mine' }), refuses(403))
  t.match(
    await itself.post(`/v1/spaces/${id}/members`, { subjectType: 'user', subjectId: 'eve' }),
    refuses(403)
  )
  const own = await makeSpace(itself, { name: 'Cabin' })
  t.match(own, { owner: 'ada', role: 'member' })
  t.match(await ada.get(`/v1/spaces/${own.id}`), { body: { data: { role: 'owner' } } })
})
