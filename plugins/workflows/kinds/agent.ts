import { examineValue, withoutFence } from 'agent-platform'
import type { Run, Runs } from '../../runs/contract.ts'
import { addCosts, StepFailure } from '../executions/journal.ts'
import type { Attempt, Completed, Kind, Waiting } from './kind.ts'

interface Deps {
  readonly runs: Runs
  /** Refuses when the tree of executions has cost too much. */
  admit(attempt: Attempt): Promise<void>
}

const OVER = new Set(['completed', 'failed', 'cancelled'])

/** An agent answers, in a run of its own that outlives processes by itself. */
export function createAgentKind({ runs, admit }: Deps): Kind {
  async function start(attempt: Attempt, content: string, suffix = '', sessionId?: string) {
    const { live, config, key } = attempt
    const { agentId, model, output } = config
    return runs.start(live.by, {
      agentId: String(agentId),
      messages: [{ role: 'user', content }],
      key: key + suffix,
      depth: live.row.depth + 1,
      isAccepted: true,
      ...(sessionId !== undefined && { sessionId }),
      ...(model !== undefined && { model: model as { modelProvider: string; modelId: string } }),
      ...(output !== undefined && { answerSchema: output as object })
    })
  }

  const stateOf = ({ live, row }: Attempt): Promise<Run> =>
    runs.settled(live.by, String(row.ref), AbortSignal.abort())

  async function begin(attempt: Attempt): Promise<Waiting> {
    await admit(attempt)
    const { prompt, sessionId } = attempt.config as { prompt: string; sessionId?: string }
    const run = await start(attempt, prompt, '', sessionId)
    return { waits: { ref: run.id, state: { sessionId: run.sessionId } } }
  }

  async function resume(attempt: Attempt): Promise<Completed | Waiting> {
    const { live, config, row } = attempt
    const run = await stateOf(attempt)
    if (!OVER.has(run.status)) return { waits: { ref: run.id, state: row.state } }
    const cost = addCosts([row.cost, run.usage])
    const failed = (code: string, message: string) => Object.assign(new StepFailure(code, message), { cost })
    if (run.status !== 'completed')
      throw failed(run.error?.code ?? 'run_cancelled', run.error?.message ?? 'The run was cancelled')
    const content = run.content ?? ''
    const state = { ...row.state, sessionId: run.sessionId }
    if (config.output === undefined) return { output: content, cost, state }
    const { value, fault } = parse(content)
    const found = fault ?? (await examineValue(live.by, config.output as object, value, attempt.signal))
    if (!found) return { output: value, cost, state }
    const wrong = typeof found === 'string' ? found : `${found.at || 'it'} ${found.text}`
    if (row.state?.askedAgain) throw failed('output_invalid', `The answer does not fit its schema: ${wrong}`)
    const words = `Your answer does not fit: ${wrong}. Answer again, with JSON of this schema and nothing else:\n${JSON.stringify(config.output)}`
    const again = await start(attempt, words, ':again', run.sessionId)
    return { waits: { ref: again.id, cost, state: { ...state, askedAgain: true } } }
  }

  return {
    begin,
    resume,
    hasEnded: async (attempt) => OVER.has((await stateOf(attempt)).status),
    async cancel({ by }, rows) {
      // They may have ended by themselves, or be gone.
      const refs = rows.flatMap(({ ref }) => ref ?? [])
      await Promise.all(refs.map((ref) => runs.cancel(by, ref).catch(() => undefined)))
    }
  }
}

function parse(content: string): { value?: unknown; fault?: string } {
  try {
    return { value: JSON.parse(withoutFence(content)) }
  } catch {
    return { fault: 'it is not JSON' }
  }
}
