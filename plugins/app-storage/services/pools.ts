import { unavailable } from 'agent-platform'
import type { AppStorageSettings } from '../settings.ts'
import type { DataStore } from '../stores/data-store.ts'
import { isBroken } from '../stores/failures.ts'
import type { Opened } from '../stores/postgresql.ts'

export type Pools = ReturnType<typeof createPools>
interface Pool {
  readonly opened: Promise<Opened>
  users: number
  isLeaving: boolean
  idleSince: number
}

/** Stores outside that are connected to: at most so many, and none that nobody has used for a while. */
export function createPools({ pools: most, idleSeconds }: Pick<AppStorageSettings, 'pools' | 'idleSeconds'>) {
  const pools = new Map<string, Pool>()
  const sweep = setInterval(closeIdle, Math.min(idleSeconds * 500, 5_000)).unref()

  const close = (pool: Pool): Promise<void> =>
    pool.opened.then(
      (opened) => opened.close(),
      () => undefined
    )

  /** Nobody new gets it; it is closed with its last user. */
  function drop(key: string, pool: Pool): void {
    if (pools.get(key) === pool) pools.delete(key)
    pool.isLeaving = true
    if (pool.users === 0) close(pool).catch(() => undefined)
  }

  function closeIdle(): void {
    const limit = performance.now() - idleSeconds * 1_000
    for (const [key, pool] of pools) if (pool.users === 0 && pool.idleSince < limit) drop(key, pool)
  }

  /** Where there are as many as may be, the one that was idle for longest makes room. */
  function makeRoom(): void {
    if (pools.size < most) return
    const [oldest] = [...pools]
      .filter(([, { users }]) => users === 0)
      .sort(([, a], [, b]) => a.idleSince - b.idleSince)
    if (!oldest)
      throw unavailable('Too many stores are in use', { code: 'store_busy', headers: { 'retry-after': '1' } })
    drop(...oldest)
  }

  return {
    size: () => pools.size,

    async use<T>(
      key: string,
      open: () => Promise<Opened>,
      work: (store: DataStore) => Promise<T>
    ): Promise<T> {
      let found = pools.get(key)
      if (!found) {
        makeRoom()
        found = { opened: open(), users: 0, isLeaving: false, idleSince: 0 }
        pools.set(key, found)
      }
      const pool = found
      pool.users++
      try {
        const { store } = await pool.opened.catch((error) => {
          drop(key, pool)
          throw error
        })
        return await work(store)
      } catch (error) {
        // The next call connects anew: another server may have taken over.
        if (isBroken(error)) drop(key, pool)
        throw error
      } finally {
        pool.users--
        pool.idleSince = performance.now()
        if (pool.isLeaving && pool.users === 0) close(pool).catch(() => undefined)
      }
    },

    async close(): Promise<void> {
      clearInterval(sweep)
      await Promise.all([...pools.values()].map(close))
    }
  }
}
