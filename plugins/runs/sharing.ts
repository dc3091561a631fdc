import type { Kernel, Principal, Reply } from 'agent-platform'
import { notFound, owned } from 'agent-platform'
import type { RunService } from './run-service.ts'
import type { RunSharing } from './schemas/sharing.ts'
import type { StoredRun } from './stores/row.ts'
import type { RunStore } from './stores/runs.ts'
import type { ShareStore } from './stores/shares.ts'

export type Sharing = ReturnType<typeof createSharing>

interface Deps extends Pick<Kernel, 'transaction' | 'facts' | 'limits'> {
  runService: RunService
  runStore: RunStore
  shareStore: ShareStore
}
type Audience = RunSharing['audience']

/** Between two looks whether a run that is followed is still shared. */
const LOOK_MS = 2_000

/** Runs that their owners show to everybody of the project: to be read and followed, and no more. */
export function createSharing({ transaction, facts, limits, runService, runStore, shareStore }: Deps) {
  const shown = ({
    id,
    sharedBy,
    sharedAt
  }: Pick<StoredRun, 'id' | 'sharedBy' | 'sharedAt'>): RunSharing => ({
    runId: id,
    audience: sharedAt === null ? 'owner' : 'project',
    sharedBy,
    sharedAt: sharedAt && new Date(sharedAt).toISOString()
  })

  /** What an agent reads decides what it does next: nobody but its owner puts a run before it. */
  const isShared = (by: Principal, run: StoredRun | undefined): boolean =>
    run !== undefined && run.sharedAt !== null && by.type !== 'agent'

  const isOwn = (by: Principal, run: StoredRun): boolean => {
    try {
      return owned(by, run, 'Run', 'read') === run
    } catch {
      return false
    }
  }

  /** The run, if the principal may look at it. */
  async function find(by: Principal, id: string): Promise<StoredRun> {
    const run = await runStore.find(id)
    const found = owned(by, run, 'Run', 'read', { granted: isShared(by, run) })
    await limits.agent(by, found.agentId)
    return found
  }

  /** Aborted once the run is not shared with the principal any more; undefined for who reads it anyway. */
  function whileAllowed(by: Principal, run: StoredRun, reply: Pick<Reply, 'raw'>): AbortSignal | undefined {
    if (isOwn(by, run)) return undefined
    const { id } = run
    const over = new AbortController()
    const look = setInterval(async () => {
      const run = await runStore.find(id).catch(() => null)
      // A database that is away takes nothing from anybody.
      if (run === null) return
      if (!isShared(by, run)) over.abort()
    }, LOOK_MS)
    // However the answer ends.
    if (reply.raw.destroyed) clearInterval(look)
    else reply.raw.once('close', () => clearInterval(look))
    return over.signal
  }

  return {
    find,
    whileAllowed,
    read: async (by: Principal, id: string): Promise<RunSharing> => shown(await find(by, id)),

    /** For its owner; the same once more changes nothing. */
    async share(by: Principal, id: string, audience: Audience): Promise<RunSharing> {
      const { project, owner, agentId, sessionId } = await runService.find(by, id, 'change')
      const isOpen = audience === 'project'
      return transaction(async (trx) => {
        const changed = await shareStore.updateShared(trx, { project, id }, isOpen ? by.owner : null)
        const data = { runId: id, agentId, sessionId }
        if (changed)
          await facts.record(trx, isOpen ? 'runs.shared' : 'runs.unshared', by, { subject: id, owner, data })
        const run = changed ?? (await runStore.find(id))
        if (!run) throw notFound('Run')
        return shown(run)
      })
    }
  }
}
