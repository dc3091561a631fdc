import { testApp } from 'agent-platform-app/testing'
import t from 'tap'

interface Decision {
  readonly id: string
  readonly title: string
}

const app = await testApp(import.meta.dirname)
const as =
  (callerId: string) =>
  (name: string, input: object = {}) =>
    app.call(name, input, { callerId })
const [ada, kim] = [as('ada'), as('kim')]
const propose = async (title: string) => (await ada('propose', { title, reason: 'Because' })) as Decision
const refuses = (message: RegExp) => ({ code: 'app_error', message }) as unknown as Error

t.test('who proposes is for it, others vote and take it back', async (t) => {
  const { id } = await propose('Ship on Fridays')
  t.match(await kim('vote', { id }), { votes: 2, voted: true, mine: false })
  t.match(await ada('vote', { id }), { votes: 1, voted: false, mine: true })
  t.match(await kim('vote', { id }), { votes: 0, voted: false })
  await t.rejects(kim('vote', { id: 'unheard-of' }), refuses(/no such decision/))
})

t.test('nobody’s vote is lost where many vote at the same time', async (t) => {
  const { id } = await propose('Write it down')
  await Promise.all(['kim', 'lee', 'max'].map((name) => as(name)('vote', { id })))
  t.match(await ada('list'), { decisions: [{ id, votes: 4 }, {}] })
})

t.test('who proposed it settles it, and then nobody votes', async (t) => {
  const { id } = await propose('Meet on Mondays')
  await t.rejects(kim('settle', { id, status: 'dropped' }), refuses(/Who proposed it/))
  t.match(await ada('settle', { id, status: 'accepted' }), { status: 'accepted' })
  await t.rejects(kim('vote', { id }), refuses(/decided already/))
  t.match(await kim('list', { status: 'accepted' }), { decisions: [{ id }], nextCursor: null })
})

t.test('how one looks at them is one’s own', async (t) => {
  const value = { status: 'open' }
  await app.ask('storage.set', { key: 'view', value }, { callerId: 'ada' })
  t.match(await app.ask('storage.get', { key: 'view' }, { callerId: 'ada' }), { value })
  t.equal(await app.ask('storage.get', { key: 'view' }, { callerId: 'kim' }), null)
})
