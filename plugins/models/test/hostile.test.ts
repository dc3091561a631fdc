// budget: 10 s, because each model sends without end while another caller is timed
// tier: long
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import t from 'tap'
import { boot } from '../../../test/boot.ts'
import { longestTurn, longestTurnMs } from '../../../test/turns.ts'

const ASKED = 40
const tooMany = { status: 502, body: { error: { code: 'too_many_calls' } } }
const tooLarge = { status: 502, body: { error: { code: 'reply_too_large' } } }
/** Nothing is wrong with it, but that it never ends: until it is cancelled, or has reached a limit before. */
const endless = { body: { error: { code: /^(?:run_cancelled|reply_too_large)$/ } } }

/** What becomes of a run whose model sends this; see the fixture. */
const runs = {
  'calls with a growing index': tooMany,
  'giant ids': tooLarge,
  'pieces of two calls by turns': endless,
  'texts and thoughts by turns': tooLarge,
  'deltas that say nothing': endless,
  'an event without an end': tooLarge,
  'wide events': endless,
  'deep events': endless,
  'messages: calls': tooMany,
  'messages: wide events': tooLarge,
  'messages: pings': endless,
  'gemini: calls': tooMany,
  'gemini: many calls in one event': tooLarge,
  'gemini: thoughts by turns': tooLarge
}
const providers: Readonly<Record<string, string>> = { messages: 'anthropic', gemini: 'google' }

/** CPU of this thread, in milliseconds: a measure of time that is the same however busy the machine is. */
function cpu(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

t.test('whatever the server of a model sends, other callers are served', async (t) => {
  const hostile = new Worker(new URL('./hostile-fixture.ts', import.meta.url))
  t.teardown(() => hostile.terminate())
  const [url] = (await once(hostile, 'message')) as [string]
  const { as, anyone } = await boot(t, 'outgoing', 'models', 'sessions', 'jobs', 'runs', {
    env: {
      OPENAI_COMPATIBLE_BASE_URL: url,
      ANTHROPIC_API_KEY: 'a',
      ANTHROPIC_BASE_URL: url,
      GEMINI_API_KEY: 'g',
      GOOGLE_GENERATIVE_AI_BASE_URL: url
    }
  })
  const [ada, eve] = [as('ada'), as('eve')]
  const { id } = await ada.agent()

  /** How long a caller waits, but for the slowest few of its requests. */
  async function waiting(): Promise<number> {
    const waits: number[] = []
    for (let i = 0; i < ASKED; i++) {
      const begun = cpu()
      const { status } = await (i % 2 ? ada.get(`/v1/agents/${id}`) : anyone.get('/health'))
      waits.push(cpu() - begun)
      if (status !== 200) t.fail(`answered ${status}`)
    }
    return waits.sort((a, b) => a - b)[ASKED - 2] as number
  }

  await waiting()
  const quiet = await waiting()
  for (const [name, outcome] of Object.entries(runs)) {
    const modelProvider = providers[name.split(':')[0] as string] ?? 'openai-compatible'
    const agent = await eve.agent({ modelProvider, modelId: name })
    const run = () =>
      eve.post('/v1/agents/run', { agentId: agent.id, messages: [{ role: 'user', content: 'Hello' }] })
    // A vendor's client is loaded at its first use.
    if (name.endsWith(': calls')) await run()
    const running = [run(), run()]
    const waited = waiting()
    const { alone } = await longestTurn(waited)
    t.ok(alone <= longestTurnMs(), `${name}: ${alone.toFixed(1)} ms at a time`)
    const busy = await waited
    // Where nothing is the matter it takes next to nothing: then one turn counts as none.
    const most = Math.max(40 * quiet, longestTurnMs())
    t.ok(busy < most, `${name}: ${(busy / quiet).toFixed(1)} times as long`)
    if (outcome === endless) await eve.delete(`/v1/agents/${agent.id}`)
    for (const ended of running) t.match(await ended, outcome, name)
  }
})
