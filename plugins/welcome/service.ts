import type { Greeted, Greeting, GreetingLine, Kernel } from 'agent-platform'
import type { Agents } from '../agents/contract.ts'
import type { Models } from '../models/contract.ts'

interface Deps extends Pick<Kernel, 'packs'> {
  agents: Agents
  models: Models
}

const NAME = 'welcome'
const ROUTE = '/v1/agents/run/stream'
const QUESTION = 'What can you help me with?'

/** Also for the built-in model, which answers a question with the line here that has most of its words. */
const instructions = `You are Welcome, the ready-made agent of an Agent Platform that has just been started. Be friendly and brief.

People who ask what you are for are told:
I can help with your first steps here: ask me something, and then make an agent of your own, in the console or with POST /v1/agents.`

/** Keeps the agent, and says which model answers for it, why, and how to ask it. */
export function createWelcome({ agents, models, packs }: Deps): Greeting {
  async function model(project: string, choice: Parameters<Models['explain']>[1]): Promise<string> {
    const { modelProvider, providerName, modelId, reason } = await models.explain(project, choice)
    const name = modelId === null ? modelProvider : `${modelProvider}/${modelId}`
    const hint =
      modelProvider === 'local'
        ? '; it answers from the instructions. OPENAI_API_KEY, ANTHROPIC_API_KEY or GEMINI_API_KEY bring a real one'
        : ''
    return `${name} (${providerName}): ${reason}${hint}`
  }

  function command({ url, credential }: Greeted, agentId: string): GreetingLine {
    const body = JSON.stringify({ agentId, messages: [{ role: 'user', content: QUESTION }] })
    const words = [
      'curl -N',
      `'${url}${ROUTE}'`,
      credential,
      `-H 'Content-Type: application/json'`,
      `-d '${body}'`
    ]
    return {
      label: 'Ask it something, in another terminal',
      text: words.filter(Boolean).join(' '),
      isCommand: true
    }
  }

  return {
    async greet(to) {
      const agent = await agents.ensure(to.by, { name: NAME, instructions })
      const lines: GreetingLine[] = [
        { label: 'Agent', text: `${agent.name} (${agent.id})` },
        { label: 'Model', text: await model(to.by.project, agent) }
      ]
      // Runs are a pack of their own, and may be off.
      const runs = packs.mounted().some(({ routes }) => routes.some(({ path }) => path === ROUTE))
      return runs ? [...lines, command(to, agent.id)] : lines
    }
  }
}
