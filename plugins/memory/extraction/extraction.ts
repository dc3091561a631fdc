import type { Fact, Kernel, Owned, Principal, Trx } from 'agent-platform'
import { compileSchema, withoutFence } from 'agent-platform'
import type { Agents } from '../../agents/contract.ts'
import type { Jobs } from '../../jobs/contract.ts'
import type { Asking, Model, Models } from '../../models/contract.ts'
import type { Runs } from '../../runs/contract.ts'
import type { Message, Sessions } from '../../sessions/contract.ts'
import type { MemoryType } from '../schemas/memories.ts'
import type { AgentSettings } from '../services/agent-settings.ts'
import type { Recall } from '../services/recall.ts'
import type { MemorySubjects } from '../services/subjects.ts'
import type { MemoryWriting } from '../services/writing.ts'
import type { MemorySettings } from '../settings.ts'
import type { AgentStore } from '../stores/agents.ts'
import type { MemoryRow } from '../stores/memories.ts'
import { answerSchema, extractionPrompt, sayings } from './prompt.ts'

/** A run that has ended, as its fact says. */
interface Ended {
  readonly runId: string
  readonly sessionId: string
  readonly agentId: string
}
type Order = Ended & Owned

interface Statement {
  readonly type: MemoryType
  readonly content: string
  readonly importance: number
  readonly message: number
  readonly supersedes: string | null
}

interface Deps extends Pick<Kernel, 'transaction' | 'facts' | 'principals' | 'log'> {
  settings: MemorySettings
  agents: Agents
  jobs: Jobs
  models: Models
  runs: Runs | undefined
  sessions: Sessions
  agentSettings: AgentSettings
  agentStore: AgentStore
  memoryWriting: MemoryWriting
  recall: Recall
  memorySubjects: MemorySubjects
}

/** Remembered ones that the model is shown, so that it says nothing twice and what has changed. */
const SHOWN = 20

/** What is worth remembering of a run, said by the agent's model after its end. */
export function createExtraction(deps: Deps) {
  const { transaction, facts, principals, log, settings, agents, jobs, models, runs, sessions } = deps
  const { agentSettings, agentStore, memoryWriting, recall, memorySubjects } = deps

  /** Asks for it in the transaction that handles the facts that runs have ended. */
  async function request(ended: readonly Fact<Ended>[], trx: Trx): Promise<void> {
    const wanted = new Set(
      await agentStore.listExtracting(
        trx,
        ended.map(({ data }) => data.agentId)
      )
    )
    const options = { trx, inSeconds: settings.extractionDelaySeconds }
    for (const { project, owner, data } of ended) {
      const { runId, sessionId, agentId } = data
      if (wanted.has(agentId))
        await jobs.send('memory.extract', { project, owner, runId, sessionId, agentId }, options)
    }
  }

  /** Once a run: a job that comes again finds that it was done. */
  async function extract(
    { project, owner, runId, sessionId, agentId }: Order,
    signal: AbortSignal
  ): Promise<void> {
    const agent = (await agents.afresh(agentId))?.agent
    const by = agent && (await principalOf(agent, { owner, runId }))
    if (!by || !(await agentSettings.find(project, agentId)).extraction) return
    const messages = await sessions.ofRun(project, sessionId, runId)
    const said = sayings(messages)
    if (!said.some(({ role }) => role === 'user')) return
    const asked = said.map(({ content }) => content).join('\n')
    const learner = await memorySubjects.ownerIn({ by, owner: agent.owner, sessionId })
    const owners = [...new Set([agent.owner, learner])]
    const known = await recall.recall(
      { project, agentId, owners },
      { query: asked.slice(-4_000), limit: SHOWN }
    )
    const model = await models.resolve(project, agent)
    const answer = await ask({ by, agentId, sessionId, runId }, model, said, known, signal)
    if (!answer) return
    const { statements, usage } = answer
    const replaceable = known.filter(({ owner, scopeId }) => owner === learner && scopeId === null)
    // Of one that shares a scope, what another owner put there is data too.
    const untrusted =
      known.some((it) => it.untrusted || !owners.includes(it.owner)) ||
      (await sessions.holdsUntrusted(project, sessionId))
    const writes = await Promise.all(
      statements.map((statement, position) => {
        const source = { runId, messageId: said[statement.message]?.id ?? null }
        const origin = { source, untrusted, callId: `${runId}/${position}`, sessionId }
        return memoryWriting.prepare(by, memoryOf(agentId, statement, replaceable), origin)
      })
    )
    await transaction(async (trx) => {
      if (!(await agentStore.takeRun(trx, project, agentId, runId))) return
      for (const write of writes) await write(trx)
      const { modelProvider, modelId } = model
      const data = { runId, agentId, count: writes.length, modelProvider, modelId, ...usage }
      await facts.record(trx, 'memory.extracted', by, { subject: agentId, owner, data })
    })
  }

  /**
   * As whom the run was made, and for whom: a service's for one of its users, else the agent's owner. Undefined for one of a token:
   * what is learned outlives that, and costs what it does not limit.
   */
  async function principalOf(
    agent: Owned,
    { owner, runId }: Pick<Order, 'owner' | 'runId'>
  ): Promise<Principal | undefined> {
    const by = await principals.of(agent.project, agent.owner)
    if (!by) return undefined
    const [run] = (await transaction(async (trx) => runs?.records(trx, agent.project, [runId]))) ?? []
    if (run?.actor.attenuation) return undefined
    const initiator = run?.actor.initiator ?? (owner === agent.owner ? undefined : owner)
    return initiator === undefined ? by : { ...by, initiator, owner }
  }

  /** Undefined where it may not be asked: who has nothing left has nothing learned. */
  async function ask(
    about: Omit<Asking, 'purpose'>,
    model: Model,
    said: readonly Message[],
    known: readonly MemoryRow[],
    signal: AbortSignal
  ) {
    const options = {
      prompt: extractionPrompt(said, known),
      responseFormat: { type: 'json', schema: answerSchema as never },
      abortSignal: signal
    } as const
    const reply = await models.ask({ ...about, purpose: 'extraction' }, model, options).catch((error) => {
      if (error.kind !== 'paymentRequired') throw error
      log.info(
        { agent: about.agentId, run: about.runId },
        'nothing is remembered of a run: credits are not left'
      )
    })
    if (!reply) return undefined
    const { content, usage } = reply
    const text = content.flatMap((part) => (part.type === 'text' ? part.text : [])).join('')
    const statements = statementsOf(text)
    if (!statements)
      log.warn({ model: model.modelId }, 'the model gave no memories: its answer has another form')
    const { inputTokens, outputTokens } = usage
    return {
      statements: statements ?? [],
      usage: { inputTokens: inputTokens.total ?? 0, outputTokens: outputTokens.total ?? 0 }
    }
  }

  return { request, extract }
}

let check: ReturnType<typeof compileSchema> | undefined

/** Undefined where the answer is no such JSON; code fences around it do no harm. */
function statementsOf(text: string): readonly Statement[] | undefined {
  try {
    const answer = JSON.parse(withoutFence(text))
    check ??= compileSchema(answerSchema)
    return check(answer) ? undefined : answer.memories
  } catch {
    return undefined
  }
}

/** A model may name what it was not shown, or what is not the learner's alone: then nothing is replaced. */
function memoryOf(
  agentId: string,
  { type, content, importance, supersedes }: Statement,
  replaceable: readonly MemoryRow[]
) {
  const replaced = replaceable.find(({ id }) => id === supersedes)
  return { agentId, type, content, importance, ...(replaced && { supersedes: replaced.id }) }
}
