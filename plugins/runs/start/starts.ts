import type { Kernel, Principal } from 'agent-platform'
import { currentTrace, forbidden, invalid, notFound, owned } from 'agent-platform'
import type { Models } from '../../models/contract.ts'
import type { RunOrder, Runs, StartedRun } from '../contract.ts'
import type { RunService } from '../run-service.ts'
import type { RunStore } from '../stores/runs.ts'
import type { StartStore } from '../stores/starts.ts'
import type { Descents } from './descents.ts'
import type { StartRun } from './start-run.ts'

interface Deps extends Pick<Kernel, 'limits'> {
  models: Models
  startRun: StartRun
  runService: RunService
  descents: Descents
  runStore: RunStore
  startStore: StartStore
}

/** Runs that other packs begin. */
export function createStarts(deps: Deps) {
  const { limits, models, startRun, runService, descents, runStore, startStore } = deps

  /** Those of a known id that are being begun here: a second one would take the stream from the first. */
  const beginning = new Map<string, ReturnType<Runs['start']>>()

  function once(id: string, begin: () => ReturnType<Runs['start']>) {
    const before = beginning.get(id) ?? Promise.resolve()
    const begun = before.then(begin, begin).finally(() => {
      if (beginning.get(id) === begun) beginning.delete(id)
    })
    beginning.set(id, begun)
    return begun
  }

  const start: Runs['start'] = (by, order) =>
    order.id === undefined ? begin(by, order) : once(order.id, () => begin(by, order))

  async function begin(
    by: Principal,
    {
      key,
      id,
      isNew = false,
      depth: given,
      parent,
      untrusted,
      trusted,
      attachments,
      isAccepted = false,
      ...order
    }: RunOrder
  ): Promise<StartedRun> {
    // No route has asked for it.
    if (!by.scopes.has('agents:run'))
      throw forbidden('The credential lacks the scope agents:run', { code: 'scope_missing' })
    const before = id === undefined || isNew ? undefined : await startStore.find(id)
    if (before) {
      const { sessionId } = owned(by, before, 'Run', 'run')
      return { id: before.id, sessionId, settled: (leave) => runService.over(before, undefined, leave) }
    }
    if (order.model?.modelProvider != null)
      models.checkProvider(order.model.modelProvider, '/model/modelProvider')
    const request = {
      ...order,
      messages: marked(order, untrusted),
      ...(attachments && { attachments: [...attachments] })
    }
    const above = parent === undefined ? undefined : await descents.below(by, parent)
    const depth = given ?? above?.depth ?? 0
    const { run, live } = await startRun(
      depth > 0 && !isAccepted ? limits.descendant(by, request.agentId) : by,
      request,
      key,
      {
        depth,
        ...(trusted && { trusted }),
        ...(id !== undefined && { id }),
        ...(above && { root: above.root })
      },
      currentTrace()
    )
    const begun = live?.run ?? (await runStore.find(run.id))
    if (!begun) throw notFound('Run')
    const { sessionId } = begun
    return { id: run.id, sessionId, settled: (leave) => runService.over(run, live, leave) }
  }

  return { start }
}

/** 400 for what is untrusted and yet speaks for the system or the agent. */
function marked({ messages }: Pick<RunOrder, 'messages'>, all = false): RunOrder['messages'] {
  return messages.map((message, index) => {
    const { role, content } = message
    if (role === 'tool') return message
    const { untrusted = all, toolCalls } = message
    if (untrusted && role !== 'user')
      throw invalid(`/messages/${index}/role`, `/messages/${index}/role must be "user": it is untrusted`)
    return { role, content, ...(untrusted && { untrusted }), ...(toolCalls && { toolCalls }) }
  })
}
