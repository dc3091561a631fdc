// budget: 12 s, because sessions and runs grow beyond the windows of their models
import type { ServerResponse } from 'node:http'
import t from 'tap'
import type { ChatBody } from '../../../test/model-server.ts'
import { callTool, sayText } from './model-replies.ts'
import {
  ANSWER,
  askedLast,
  messagesOf,
  puppetStage,
  run,
  scripted,
  stage,
  streamed,
  tool
} from './testbed.ts'
import type { Event } from './testbed-events.ts'

const textOf = ({ messages }: ChatBody) => JSON.stringify(messages)
const isSummary = ({ messages }: ChatBody) =>
  String(messages[0]?.content).startsWith('You shorten the history')
/** A model that keeps each fact of what it is to summarize, and else reads its prompt. */
function reads(body: ChatBody, response: ServerResponse): void {
  const facts = [...new Set(textOf(body).match(/fact \d+ is \w+/g) ?? [])]
  if (isSummary(body)) {
    sayText(response, facts.join('\n') || 'Nothing of note.')
    return
  }
  const asked = /What is (fact \d+)\?/.exec(String(body.messages.at(-1)?.content))?.[1]
  sayText(response, asked ? (facts.find((it) => it.startsWith(`${asked} is`)) ?? 'unknown') : 'Fine.')
}
const env = { RUN_CONTEXT_TOKENS: '4096' }
const filler = 'words and words '.repeat(60)

t.test('summarizes what no longer fits, in a durable message of the session', async (t) => {
  const { ada, eve, server, booted } = await stage(t, {
    env,
    respond: ({ body }, response) => reads(body, response)
  })
  const agent = await ada.agent({ ...scripted('compact'), instructions: 'Always be kind.' })
  const told = await run(ada, agent, `fact 1 is amber ${filler}`)
  const { sessionId } = told.body.data
  let compacted: Event | undefined
  for (let turn = 0; turn < 12; turn++) {
    const { events } = await streamed(ada, agent, `turn ${turn} ${filler}`, { sessionId })
    compacted ??= events.find(({ type }) => type === 'context_compacted')
  }
  t.match(compacted, { messages: Number, results: 0, tokensBefore: Number, tokensAfter: Number })
  t.ok(Number(compacted?.tokensAfter) < Number(compacted?.tokensBefore))
  t.match((await run(ada, agent, 'What is fact 1?', { sessionId })).body.data, { content: 'fact 1 is amber' })
  const prompt = askedLast(server).messages
  t.match(prompt[0], { role: 'system', content: /^Always be kind\./ })
  t.notMatch(textOf(askedLast(server)), /turn 0 words/, 'what was summarized is not in the prompt')
  const messages = (await messagesOf(ada, sessionId)) as {
    role: string
    content: string
    isSummary?: boolean
  }[]
  t.match(messages[0], { role: 'user', content: /^fact 1 is amber/ }, 'the originals stay readable')
  t.ok(messages.some((it) => it.isSummary && it.content.includes('fact 1 is amber')))
  t.equal(messages.filter(({ role }) => role === 'user').length, 14)

  const facts = await booted.platform.knex('kernel.fact').where({ name: 'models.asked' })
  t.ok(
    facts.length > 0 &&
      facts.every(({ data }) => data.purpose === 'compaction' && data.sessionId === sessionId)
  )
  t.match(await eve.get(`/v1/sessions/${sessionId}/full`), { status: 403 })
})

t.test('keeps messages of the system, and goes on without a summary that cannot be made', async (t) => {
  let fails = false
  const { ada, server } = await stage(t, {
    env,
    respond: ({ body }, response) => {
      if (!isSummary(body) || !fails) return reads(body, response)
      response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":{"message":"No"}}')
    }
  })
  const agent = await ada.agent(scripted('system'))
  const first = await ada.post('/v1/agents/run', {
    agentId: agent.id,
    messages: [
      { role: 'system', content: 'The user is left-handed.' },
      { role: 'user', content: `fact 2 is blue ${filler}` }
    ]
  })
  const { sessionId } = first.body.data
  for (let turn = 0; turn < 10; turn++) await run(ada, agent, `turn ${turn} ${filler}`, { sessionId })
  t.match(askedLast(server).messages[0]?.content, /left-handed/)
  t.match(textOf(askedLast(server)), /fact 2 is blue/)
  fails = true
  for (let turn = 0; turn < 8; turn++)
    t.match(await run(ada, agent, `later ${turn} ${filler}`, { sessionId }), {
      body: { data: { status: 'completed' } }
    })
  t.match(askedLast(server).messages[0]?.content, /earlier messages of this conversation are left out/)
})

t.test('moves old results out of the prompt, and lets the agent read them again', async (t) => {
  let step = 0
  const results: string[] = []
  const { ada, play } = await puppetStage(t, {
    env: { ...env, RUN_CONTEXT_TOKENS: '10000' },
    respond: ({ body }, response) => {
      if (isSummary(body)) return reads(body, response)
      step++
      if (step <= 8) return callTool(response, `call_${step}`, 'look', { step })
      if (step === 9) {
        const reference = /callId \\"(call_\w+)\\"/.exec(textOf(body).replaceAll('\\\\', '\\'))
        return callTool(response, 'call_r', 'read_result', { callId: reference?.[1], offset: 0, limit: 40 })
      }
      results.push(String(body.messages.at(-1)?.content))
      sayText(response, 'Done.')
    }
  })
  play.tools = () => [
    tool('look', async ({ args }) => ({
      output: `secret of ${(args as { step: number }).step} ${'x'.repeat(4_000)}`
    }))
  ]
  const agent = await ada.agent(scripted('results'))
  const { events } = await streamed(ada, agent, 'Look around')
  t.match(events.at(-1), { type: 'final', content: 'Done.' })
  t.match(events.filter(({ type }) => type === 'context_compacted')[0], { results: Number, messages: 0 })
  t.match(results[0], /secret of 1 x+/, 'the first result is read again')
  t.match(results[0], /more characters: continue with offset 40/)
})

t.test('reads no result of another session', async (t) => {
  let wanted: string | undefined
  const seen: string[] = []
  const { ada, eve, play } = await puppetStage(t, {
    env: { ...env, RUN_CONTEXT_TOKENS: '10000' },
    respond: ({ body }, response) => {
      const last = body.messages.at(-1)
      const count = body.messages.filter(({ role }) => role === 'tool').length
      if (wanted !== undefined && count >= 5) {
        if (count === 5) return callTool(response, 'call_x', 'read_result', { callId: wanted })
        seen.push(String(last?.content))
        return sayText(response, 'Done.')
      }
      if (wanted === undefined && count >= 1) return sayText(response, 'Done.')
      callTool(response, `call_${count}`, 'look', {})
    }
  })
  play.tools = () => [tool('look', async () => ({ output: `private ${'x'.repeat(6_000)}` }))]
  const { events } = await streamed(ada, await ada.agent(scripted('mine')), 'Look')
  wanted = String(events.find(({ type }) => type === 'toolStart')?.callId)
  await run(eve, await eve.agent(scripted('theirs')), 'Look')
  t.match(seen[0], /No such result in this session/)
})

t.test('a run continues with its summary, and with its question', async (t) => {
  let step = 0
  const { ada, play, server } = await puppetStage(t, {
    env: { RUN_CONTEXT_TOKENS: '6000' },
    respond: ({ body }, response) => {
      if (isSummary(body)) return reads(body, response)
      step++
      if (step <= 40)
        return callTool(response, `call_${step}`, 'look', { note: `step ${step} ${'n'.repeat(100)}` })
      sayText(response, textOf(body).includes('fact 7 is green') ? 'It is green.' : 'unknown')
    }
  })
  play.tools = () => [
    tool('look', async () => ({ output: step === 2 ? 'fact 7 is green' : 'nothing here '.repeat(8) }))
  ]
  const agent = await ada.agent({ ...scripted('steps'), instructions: 'Always be kind.' })
  const { events } = await streamed(ada, agent, 'Find fact 7 please')
  t.match(events.at(-1), { type: 'final', content: 'It is green.' })
  t.ok(events.some(({ type, messages }) => type === 'context_compacted' && Number(messages) > 0))
  for (const { body } of server.requests.filter(({ body }) => !isSummary(body))) {
    t.ok(textOf(body).length / 3.5 < 6_000)
    t.match(textOf(body), /Find fact 7 please/)
  }
})

t.test('compacts and tries again when a provider rejects a prompt for its length', async (t) => {
  let refusals = 0
  const { ada } = await stage(t, {
    respond: ({ body }, response) => {
      if (textOf(body).length <= 9_000) return reads(body, response)
      refusals++
      response.writeHead(400, { 'content-type': 'application/json' })
      response.end('{"error":{"message":"Input is too long for requested model."}}')
    }
  })
  const agent = await ada.agent(scripted('rejected'))
  const { sessionId } = (await run(ada, agent, `fact 3 is red ${filler}`)).body.data
  const seen: string[] = []
  for (let turn = 0; turn < 12; turn++) {
    const { events } = await streamed(ada, agent, `turn ${turn} ${filler}`, { sessionId })
    seen.push(
      ...events.map(({ type }) => type).filter((type) => type === 'context_compacted' || type === 'error')
    )
  }
  t.ok(seen.length > 0 && !seen.includes('error'))
  t.match((await run(ada, agent, 'What is fact 3?', { sessionId })).body.data, { content: 'fact 3 is red' })
  t.ok(refusals > 0 && refusals < 5, `${refusals} refusals`)
})

t.test('a run that waited continues with the summary of its steps', async (t) => {
  let step = 0
  const { ada, play, server } = await puppetStage(t, {
    env: { RUN_CONTEXT_TOKENS: '6000' },
    respond: ({ body }, response) => {
      if (isSummary(body)) return reads(body, response)
      step++
      if (step === 30) return callTool(response, 'call_ask', 'ask', {})
      if (step <= 30)
        return callTool(response, `call_${step}`, 'look', { note: `step ${step} ${'n'.repeat(100)}` })
      sayText(response, 'Done.')
    }
  })
  play.tools = () => [
    tool('look', async () => ({ output: step === 2 ? 'fact 8 is pink' : 'nothing here '.repeat(8) }))
  ]
  const agent = await ada.agent(scripted('waiting'))
  const waiting = await run(ada, agent, 'Look', { cliTools: [{ name: 'ask', description: 'Asks' }] })
  const { id: runId, pending } = waiting.body.data
  await ada.post(ANSWER, { runId, callId: pending[0].callId, output: 'Yes' })
  t.match((await ada.get(`/v1/agents/runs/${runId}?wait=true`)).body.data, { content: 'Done.' })
  const last = textOf(askedLast(server))
  t.match(last, /A summary of what you did.*fact 8 is pink/s)
  t.notMatch(last, /step 3 n/)
})

t.test('a fork has the summaries and the results of its session', async (t) => {
  let wanted: string | undefined
  const seen: string[] = []
  const { ada, play, server } = await puppetStage(t, {
    env: { RUN_CONTEXT_TOKENS: '6000' },
    respond: ({ body }, response) => {
      if (isSummary(body)) return reads(body, response)
      const last = body.messages.at(-1)
      if (last?.role === 'tool' && wanted !== undefined) seen.push(String(last.content))
      if (last?.role === 'tool') return sayText(response, 'Done.')
      if (wanted !== undefined && textOf(body).includes('Read it'))
        return callTool(response, 'call_again', 'read_result', { callId: wanted })
      if (String(last?.content).startsWith('Look')) return callTool(response, 'call_look', 'look', {})
      reads(body, response)
    }
  })
  play.tools = () => [tool('look', async () => ({ output: `fact 9 is gold ${'x'.repeat(5_000)}` }))]
  const agent = await ada.agent(scripted('forks'))
  const { events } = await streamed(ada, agent, 'Look')
  const { sessionId } = (await ada.get(`/v1/agents/runs/${events[0]?.runId}`)).body.data
  wanted = String(events.find(({ type }) => type === 'toolStart')?.callId)
  for (let turn = 0; turn < 4; turn++) await run(ada, agent, `turn ${turn} ${filler}`, { sessionId })
  await ada.post(`/v1/sessions/${sessionId}/compact`, { keepMessages: 6 })
  const fork = (await ada.post(`/v1/sessions/${sessionId}/fork`, {})).body.data
  await run(ada, agent, 'Hello', { sessionId: fork.id })
  t.match(textOf(askedLast(server)), /A summary of the earlier messages.*fact 9 is gold/s)
  await ada.delete(`/v1/sessions/${sessionId}`)
  for (let turn = 0; turn < 3; turn++) await run(ada, agent, `turn ${turn} ${filler}`, { sessionId: fork.id })
  t.match(textOf(askedLast(server)), /fact 9 is gold/)
  await run(ada, agent, 'Read it', { sessionId: fork.id })
  t.match(seen[0], /fact 9 is gold x+/, 'which is there when the other session is gone')
})
