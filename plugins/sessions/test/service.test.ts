import t from 'tap'
import { boot } from '../../../test/boot.ts'
import { packText, temporaryFolder, writeFiles } from '../../../test/pack-folders.ts'
import { sessionOf } from './testbed.ts'

/** A pack that says things in sessions, as runs do. */
const talks = packText(
  'talks',
  `requires: ['agents', 'sessions'],
  routes(app, { sessions, hot }) {
    app.post('/talks', { schema: { body: { type: 'object', additionalProperties: true } } }, async ({ principal: by, body }) => {
      const { sessionId, begin, content, runId } = body
      const { project, owner, id, agentId } = begin
        ? { project: by.project, owner: by.owner, id: newId('session'), agentId: begin }
        : await sessions.owned(by, sessionId, 'run', '/sessionId')
      const session = { project, owner, id, agentId, initiator: by.id, title: null, count: 1 }
      const placed = begin ? 'begun' : 'extended'
      const message = { project, owner, id: newId('message'), sessionId: id, runId, role: 'user', content, offset: 0 }
      await hot.together('talks.' + placed, {
        known: { text: 'select unnest($1::text[]) as session', values: [[id]] },
        [placed]: begin
          ? sessions.fragments.begin([session], 'known')
          : sessions.fragments.extend([{ project, id, count: 1 }], 'known'),
        message: sessions.fragments.append([message], placed)
      }, 'select from message')
      return { data: { id, ...(await sessions.recent(project, id, { characters: 100, messages: 10 })) } }
    })
    app.delete('/talks/:id/:runId', { schema: {} }, async ({ principal: by, params: { id, runId } }) => {
      const { project } = await sessions.owned(by, id, 'change')
      await hot.together('talks.back', {
        gone: { text: 'select $1 as project, $2 as session, $3 as run', values: [project, id, runId] },
        removed: sessions.fragments.takeBack('gone')
      }, 'select from gone')
      return { data: await sessions.recent(project, id, { characters: 100, messages: 10 }) }
    })
  }`,
  `import { newId } from 'agent-platform'`
)

t.test('another pack lets sessions begin, go on, and forget', async (t) => {
  const folder = await writeFiles(await temporaryFolder(t), { 'talks/pack.ts': talks })
  const { as } = await boot(t, { packs: ['access', 'agents', 'sessions', 'talks'], folders: [folder] })
  const [ada, eve] = [as('ada'), as('eve')]
  const session = await sessionOf(ada)

  const said = await ada.post('/v1/talks', { sessionId: session.id, content: 'One', runId: 'run_1' })
  t.match(said, { status: 200, body: { data: { left: 0 } } })
  t.same(said.body.data.messages, [{ role: 'user', content: 'One' }])
  await ada.post('/v1/talks', { sessionId: session.id, content: 'Two', runId: 'run_2' })
  const third = await ada.post('/v1/talks', {
    sessionId: session.id,
    content: 'x'.repeat(95),
    runId: 'run_1'
  })
  t.same(
    third.body.data.messages.map(({ content }: { content: string }) => content.slice(0, 3)),
    ['Two', 'xxx']
  )
  t.equal(third.body.data.left, 1)

  t.match(await eve.delete(`/v1/talks/${session.id}/run_1`), { status: 403 })
  const forgotten = await ada.delete(`/v1/talks/${session.id}/run_1`)
  t.same(forgotten.body.data.messages, [{ role: 'user', content: 'Two' }])

  const begun = await ada.post('/v1/talks', { begin: session.agentId, content: 'New' })
  t.same(begun.body.data.messages, [{ role: 'user', content: 'New' }])
  t.match(await ada.get(`/v1/sessions/${begun.body.data.id}`), {
    status: 200,
    body: {
      data: {
        agentId: session.agentId,
        owner: 'ada',
        initiator: 'ada',
        title: null,
        metadata: {},
        version: 1
      }
    }
  })

  t.match(await eve.post('/v1/talks', { sessionId: session.id, content: 'Hers' }), {
    status: 403,
    body: { error: { param: '/sessionId' } }
  })
  t.match(await ada.post('/v1/talks', { sessionId: 'session_nope', content: 'None' }), {
    status: 404,
    body: { error: { param: '/sessionId' } }
  })
})

t.test('a service talks for its users in what belongs to it', async (t) => {
  const folder = await writeFiles(await temporaryFolder(t), { 'talks/pack.ts': talks })
  const { as } = await boot(t, { packs: ['access', 'agents', 'sessions', 'talks'], folders: [folder] })
  const bot = as('bot', { type: 'service' })
  const own = await sessionOf(bot)
  const by = (initiator: string) => ({ 'x-initiator': initiator })
  const ofAnn = await bot.post('/v1/sessions', { agentId: own.agentId }, by('ann'))
  const say = (sessionId: string, initiator: string) =>
    bot.post('/v1/talks', { sessionId, content: 'Hello' }, by(initiator))
  t.match(await say(ofAnn.body.data.id, 'ann'), { status: 200 })
  t.match(await say(ofAnn.body.data.id, 'ben'), { status: 403 })
  t.match(await say(own.id, 'ben'), { status: 200 })
})
