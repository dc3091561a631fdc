import type { Principal } from 'agent-platform'
import { exhausted, notFound } from 'agent-platform'
import type { RunSettings } from '../settings.ts'
import type { StoredRun } from '../stores/row.ts'
import type { RunStore } from '../stores/runs.ts'

export type Descents = ReturnType<typeof createDescents>

interface Deps {
  settings: RunSettings
  runStore: RunStore
}

/** Runs that other runs have started: counted together, on all instances, at the first run above them. */
export function createDescents({ settings, runStore }: Deps) {
  /** The first run above those that this one starts, and how deep they lie; 404 unless it is one of the principal's project. */
  async function below({ project }: Principal, parent: string) {
    const run = await runStore.find(parent)
    if (run?.project !== project) throw notFound('Run')
    return { root: run.request.root ?? run.id, depth: (run.request.depth ?? 0) + 1 }
  }

  /**
   * Counts a run and begins it, unless its root has as many already (429) or is gone (404). One that the record refused is
   * not counted; one of which the database gave no answer is, for it may have begun.
   */
  async function begin<T>(run: StoredRun, work: () => Promise<T | undefined>): Promise<T | undefined> {
    const { project } = run
    const { root } = run.request
    if (root === undefined) return work()
    const { maxDescendants: most } = settings
    if (!(await runStore.takeDescendant(project, root, most))) {
      if (!(await runStore.find(root))) throw notFound('Run')
      throw exhausted(
        `This run cannot start another run: its run tree has reached the limit of ${most} (RUN_MAX_DESCENDANTS)`,
        { code: 'too_many_descendants' }
      )
    }
    const giveBack = () => runStore.removeDescendant(project, root)
    const begun = await work().catch(async (error) => {
      // It did not reach the database.
      if (error.code === 'busy') await giveBack().catch(() => undefined)
      throw error
    })
    if (begun === undefined) await giveBack()
    return begun
  }

  return { below, begin }
}
