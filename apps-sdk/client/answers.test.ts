import { createClient } from 'agent-platform-client'
import t from 'tap'
import { local, puppetStage, tool } from '../../plugins/runs/test/testbed.ts'
import { failing } from './testbed.ts'

const { booted, ada: owner, play } = await puppetStage(t)
const clientOf = async (name: string) =>
  createClient({ baseUrl: booted.url, apiKey: await booted.as(name).key() })
const [ada, eve] = [await clientOf('ada'), await clientOf('eve')]
const agent = await owner.agent(local)
const saying = (content: string, fields: object = {}) => ({
  agentId: agent.id,
  messages: [{ role: 'user' as const, content }],
  ...fields
})
const cliTools = [{ name: 'dig' }, { name: 'fill' }]

t.test('a caller without a stream gives results, and waits for what comes of them', async (t) => {
  const run = await ada.runs.run(saying('/call dig {}\n/call fill {}', { cliTools }))
  t.match(run, { status: 'waiting', pending: [{ for: 'result' }, { for: 'result' }] })
  const [dig, fill] = run.pending.map(({ callId }) => callId) as [string, string]
  t.match(await ada.runs.result(run.id, dig, { output: 'dug' }), { status: 'waiting', pending: [{}] })
  t.match(await ada.runs.result(run.id, fill, { output: 'no sand', isError: true }), { pending: [] })
  t.match(await ada.runs.wait(run.id), { status: 'completed' })
  await t.rejects(
    ada.runs.result(run.id, dig, { output: 1 }),
    failing({ status: 409, code: 'already_settled' })
  )
})

t.test('an owner approves, answers and cancels; others do not', async (t) => {
  play.tools = () => [
    tool('pay', async ({ approved }) => ({ output: { approved } }), { approval: 'pay/1' }),
    tool('order', async ({ ask }) => ({
      output: await ask({ message: 'Size?', schema: { type: 'object' } })
    }))
  ]
  const first = await ada.runs.run(saying('/call pay {}'))
  t.match(first.pending, [{ for: 'approval', toolName: 'pay' }])
  const callId = first.pending[0]?.callId ?? ''
  await t.rejects(eve.runs.approve(first.id, callId), failing({ status: 403 }))
  await t.rejects(eve.runs.wait(first.id), failing({ status: 403 }))
  await ada.runs.approve(first.id, callId)
  t.match(await ada.runs.wait(first.id), { status: 'completed', content: '{"approved":true}' })

  const second = await ada.runs.run(saying('/call order {}'))
  const [open] = second.pending
  if (open?.for !== 'elicitation') throw new Error(JSON.stringify(second))
  await t.rejects(
    eve.runs.answer(second.id, open.elicitationId, { action: 'decline' }),
    failing({ status: 403 })
  )
  await ada.runs.answer(second.id, open.elicitationId, { action: 'decline' })
  t.match(await ada.runs.wait(second.id), { content: '{"action":"decline"}' })

  const third = await ada.runs.run(saying('/call pay {}'))
  await t.rejects(eve.runs.cancel(third.id), failing({ status: 403 }))
  t.match(await ada.runs.cancel(third.id), { status: 'cancelled', pending: [] })
  await t.rejects(ada.runs.cancel(first.id), failing({ status: 409, code: 'already_ended' }))
  await t.rejects(ada.runs.cancel('run_unknown'), failing({ status: 404 }))
})
