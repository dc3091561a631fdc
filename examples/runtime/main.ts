// A runtime: the program that runs an agent in place of the platform's own loop. It lies in the agent's computer, and the platform
// starts it with these variables. This one answers without a model, by orders like those of the built-in one; put yours here.
import type { RuntimeTurn, Say } from 'agent-platform-client'
import { createClient } from 'agent-platform-client'

const { AGENT_PLATFORM_URL: baseUrl = '', AGENT_PLATFORM_AGENT: agentId = '' } = process.env
const { AGENT_PLATFORM_PROCESS: processId = '', GREETING = 'You said' } = process.env
let token = process.env.AGENT_PLATFORM_TOKEN ?? ''

const platform = createClient({ baseUrl, identityToken: async () => token })
const path = { agentId }

/** Text in pieces, as a model would give it. */
async function write(say: Say, text: string, pauseMs: number, signal: AbortSignal) {
  for (const piece of text.match(/\S+\s*/g) ?? []) {
    say.token(piece)
    if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs))
    signal.throwIfAborted()
  }
}

async function answer({ messages, tools, step }: RuntimeTurn, say: Say, signal: AbortSignal) {
  const asked = messages.findLast(({ role }) => role === 'user')?.content ?? ''
  const [order = '', ...words] = asked.split(' ')
  const rest = words.join(' ')
  const result = messages.at(-1)
  const usage = { inputTokens: JSON.stringify(messages).length >> 2, outputTokens: asked.length >> 2 }

  // After a call of a tool the run comes back with what it gave, to whichever process is there then.
  if (result?.role === 'tool') await write(say, `It gave ${result.content}`, 0, signal)
  // A tool in the run: with its policies and approvals, and seen by whoever follows it.
  else if (order === '/call')
    say.call(`call-${step}`, words[0] ?? '', JSON.parse(words.slice(1).join(' ') || '{}'))
  // A tool outside of the run: the runtime's own business, with the same policies.
  else if (order === '/invoke') {
    const body = { toolName: words[0] ?? '', args: JSON.parse(words.slice(1).join(' ') || '{}') }
    const { data } = await platform.post('/v1/runtime/agents/{agentId}/tools/invoke', {
      params: { path },
      body
    })
    await write(say, JSON.stringify(data.output), 0, signal)
  } else if (order === '/tools') {
    const { data } = await platform.get('/v1/runtime/agents/{agentId}/tools', { params: { path } })
    await write(
      say,
      `${data.map(({ name }) => name).join(' ')} ${tools.map(({ name }) => name).join(' ')}`,
      0,
      signal
    )
  } else if (order === '/slowly') await write(say, rest, 100, signal)
  else if (order === '/fail') throw new Error(rest)
  else if (order === '/die') process.exit(3)
  else await write(say, `${GREETING}: ${asked}`, 0, signal)
  return usage
}

await platform.runtimes.serve({
  agentId,
  processId,
  capabilities: ['text', 'tools'],
  answer,
  renewed(next) {
    token = next
  }
})
process.exit(0)
