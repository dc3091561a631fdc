import type { Kernel } from 'agent-platform'
import type { InstalledApp, UiPlugins } from '../../ui-plugins/contract.ts'
import type { ToolStore } from '../stores/tools.ts'
import type { FunctionTools } from './function-tools.ts'
import { actorOf } from './function-tools.ts'

/** Apps that are looked at together. */
const PAGE = 500

interface Deps extends Pick<Kernel, 'transaction' | 'log'> {
  'ui-plugins': UiPlugins
  toolStore: ToolStore
  functionTools: FunctionTools
}

/** Makes tools of the functions of apps that changed while nothing told this pack: before it was on for the first time. */
export function createReconciliation(deps: Deps) {
  const { transaction, log, toolStore, functionTools, 'ui-plugins': apps } = deps
  let isClosed = false
  let working = Promise.resolve()

  async function work(): Promise<void> {
    for (let after = ''; !isClosed; ) {
      const page = await apps.installed(after, PAGE)
      const known = await toolStore.listRevisions(page.map(({ id }) => id))
      for (const app of page) if (known.get(app.id) !== app.revision && !isClosed) await update(app)
      const last = page.at(-1)
      if (!last || page.length < PAGE) return
      after = last.id
    }
  }

  /** One that fails is for the next start, or for its next change: the others go on. */
  const update = ({ project, id, owner }: InstalledApp): Promise<void> =>
    transaction((trx) =>
      functionTools.update(trx, project, id, actorOf({ project, owner, actor: owner }))
    ).catch((error) => log.warn({ err: error, app: id }, 'functions of an app were not made tools'))

  return {
    begin(): void {
      working = work().catch((error) =>
        log.warn({ err: error }, 'the functions of apps were not all looked at')
      )
    },
    close(): Promise<void> {
      isClosed = true
      return working
    }
  }
}
