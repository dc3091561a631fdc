import { isDeepStrictEqual } from 'node:util'
import type { Kernel, Principal, Trx } from 'agent-platform'
import { forbidden, insufficientStorage, preconditionFailed } from 'agent-platform'
import { isMaintainer, mayUse } from '../access.ts'
import type { Layout, LayoutQuery, NewPins } from '../schemas/layout.ts'
import type { AppStore } from '../stores/apps.ts'
import type { LayoutKey, LayoutStore } from '../stores/layouts.ts'
import type { AppService } from './apps.ts'

export type Layouts = ReturnType<typeof createLayouts>

/** Pages that one user pins apps for; a user interface has tens. */
const MAX_SCOPES = 200

interface Deps extends Pick<Kernel, 'transaction' | 'facts'> {
  appStore: AppStore
  layoutStore: LayoutStore
  appService: AppService
}

/** Which apps are pinned where. */
export function createLayouts({ transaction, facts, appStore, layoutStore, appService }: Deps) {
  /**
   * What counts for the caller on that page: the own pins for it, the own ones for all pages, the project's for it, the
   * project's for all pages. Only apps that the caller may use at this moment.
   */
  async function read(by: Principal, query: LayoutQuery): Promise<Layout> {
    const { scope = 'all' } = query
    const { project, userId } = keyOf(by, query)
    const rows = await layoutStore.listSome(project, userId, [scope, 'all'])
    const whose = [...new Set([userId, ''])].flatMap((user) =>
      [scope, 'all'].map((it) => [user, it] as const)
    )
    const found = whose
      .map(([user, it]) => rows.find((row) => row.userId === user && row.scope === it))
      .find(Boolean)
    const version = rows.find((row) => row.userId === userId && row.scope === scope)?.version ?? 0
    if (!found) return { scope, pins: [], from: null, version }
    const known = new Map((await appStore.listNamed(project, found.pins)).map((app) => [app.pluginId, app]))
    const pins = found.pins.filter((pluginId) => {
      const app = known.get(pluginId)
      return app && mayUse(by, app)
    })
    return {
      scope,
      pins,
      from: { audience: found.userId === '' ? 'project' : 'user', scope: found.scope },
      version
    }
  }

  async function pin(
    by: Principal,
    query: LayoutQuery,
    { pins }: NewPins,
    version?: number
  ): Promise<Layout> {
    const key = keyOf(by, query)
    refuseUnlessTheirs(by, key)
    for (const [at, pluginId] of pins.entries()) await appService.find(by, pluginId, 'read', `/pins/${at}`)
    await transaction(async (trx) => {
      const before = await lock(trx, key, version)
      if (isDeepStrictEqual(before?.pins, pins)) return
      if (!before && (await layoutStore.countOfUser(trx, key)) >= MAX_SCOPES)
        throw insufficientStorage(`Apps are pinned for at most ${MAX_SCOPES} pages`, {
          code: 'quota_exceeded'
        })
      await layoutStore.replace(trx, key, pins)
      await tell(trx, by, key, pins)
    })
    return read(by, query)
  }

  async function unpin(by: Principal, query: LayoutQuery, version?: number): Promise<Layout> {
    const key = keyOf(by, query)
    refuseUnlessTheirs(by, key)
    await transaction(async (trx) => {
      await lock(trx, key, version)
      if ((await layoutStore.remove(trx, key)) > 0) await tell(trx, by, key, null)
    })
    return read(by, query)
  }

  async function lock(trx: Trx, key: LayoutKey, version?: number) {
    await layoutStore.lock(trx, key)
    const before = await layoutStore.find(trx, key)
    if (version !== undefined && version !== (before?.version ?? 0))
      throw preconditionFailed(
        'If-Match does not match the current version. Fetch the resource and retry with its ETag.'
      )
    return before
  }

  async function tell(trx: Trx, by: Principal, { userId, scope }: LayoutKey, pins: string[] | null) {
    const data = { userId: userId || null, scope, pins }
    await facts.record(trx, 'ui-plugins.layout_changed', by, { subject: scope, owner: by.owner, data })
  }

  return { read, pin, unpin }
}

const keyOf = (
  { project, owner }: Principal,
  { scope = 'all', audience = 'user' }: LayoutQuery
): LayoutKey => {
  return { project, userId: audience === 'user' ? owner : '', scope }
}

function refuseUnlessTheirs(by: Principal, { userId }: LayoutKey): void {
  if (userId === '' && !isMaintainer(by))
    throw forbidden('What is pinned for the whole project is decided with platform:admin', {
      param: 'audience',
      code: 'maintainer_required'
    })
}
