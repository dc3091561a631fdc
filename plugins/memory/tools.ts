import type { Agents } from '../agents/contract.ts'
import type { StaticTool } from '../tools/contract.ts'
import type { MemoryType } from './schemas/memories.ts'
import { CONTENT_CHARACTERS } from './schemas/memories.ts'
import type { MemoryService } from './services/memories.ts'
import type { Recall } from './services/recall.ts'
import type { MemorySubjects } from './services/subjects.ts'
import type { MemoryWriting } from './services/writing.ts'

const types = ['fact', 'preference', 'episode', 'instruction']
const object = (properties: object, required: readonly string[]) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false
})

/** Writes for the agent that runs, on behalf of the principal of the run. */
export const rememberTool = ({ memoryWriting }: { memoryWriting: MemoryWriting }): StaticTool => ({
  description:
    'Remember something for later conversations: one statement that can be understood by itself. ' +
    'What is not so any more is replaced: give the id of the old memory as `supersedes`.',
  parameters: object(
    {
      content: { type: 'string', minLength: 1, maxLength: CONTENT_CHARACTERS },
      type: {
        type: 'string',
        enum: types,
        description:
          'fact (default), preference of a person, episode: what happened, instruction: how you are to act'
      },
      importance: { type: 'number', minimum: 0, maximum: 1, description: 'Default 0.5' },
      supersedes: { type: 'string', description: 'Id of the memory that this one replaces' },
      scopeId: {
        type: 'string',
        description: 'A scope that you share with other agents; default: you alone know it'
      }
    },
    ['content']
  ),
  idempotent: true,
  tokens: 'hosts',
  async call({ id, by, agentId, args, run, untrusted }) {
    const source = run ? { runId: run.id, messageId: null } : null
    const input = { ...(args as { content: string }), agentId }
    const origin = { source, untrusted, callId: id, sessionId: run?.sessionId }
    const made = await memoryWriting.write(by, input, origin)
    return { output: { memoryId: made.id, type: made.type, content: made.content } }
  }
})

interface RecallDeps {
  recall: Recall
  agents: Agents
  memorySubjects: MemorySubjects
}

export const recallTool = ({ recall, agents, memorySubjects }: RecallDeps): StaticTool => ({
  description: 'Search what you remember, by meaning and by words; the best first.',
  parameters: object(
    {
      query: { type: 'string', minLength: 1, maxLength: 4_000 },
      type: { type: 'string', enum: types },
      limit: { type: 'integer', minimum: 1, maximum: 50, description: 'Default 10' },
      asOf: { type: 'string', format: 'date-time', description: 'What was so then; default: what is so now' }
    },
    ['query']
  ),
  idempotent: true,
  tokens: 'hosts',
  async call({ by, agentId, args, run }) {
    const { limit = 10, ...wanted } = args as {
      query: string
      type?: MemoryType
      limit?: number
      asOf?: string
    }
    const { project, owner } = await agents.owned(by, agentId, 'read')
    const owners = await memorySubjects.ownersIn({ by, owner, sessionId: run?.sessionId })
    const found = await recall.recall({ project, agentId, owners }, { ...wanted, limit })
    const output = found.map(({ id, type, content, validFrom, validTo, score }) => ({
      memoryId: id,
      type,
      content,
      since: validFrom,
      ...(validTo !== null && { until: validTo }),
      score: Math.round(score * 100) / 100
    }))
    return { output }
  }
})

/** Of the agent's own memories, and of those in scopes that it may write in. */
export const forgetTool = ({ memoryService }: { memoryService: MemoryService }): StaticTool => ({
  description: 'Forget a memory: it is not recalled any more.',
  parameters: object({ memoryId: { type: 'string' } }, ['memoryId']),
  idempotent: true,
  tokens: 'hosts',
  async call({ by, agentId, args }) {
    const { memoryId } = args as { memoryId: string }
    await memoryService.forget(by, agentId, memoryId)
    return { output: { memoryId, forgotten: true } }
  }
})
