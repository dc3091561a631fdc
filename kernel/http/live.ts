import type { Principal } from '../identity/ownership.ts'

/** A stream or socket that the kernel holds beyond the request that opened it. */
export interface Live {
  readonly pack: string | undefined
  readonly credential: string | undefined
  readonly by?: Principal | undefined
  /** When it is closed by itself, in milliseconds since 1970. */
  readonly endsAt?: number | undefined
  close(): void
}

const LONGEST_TIMER_MS = 2 ** 31 - 1

/** Everything that stays open, to be closed when its credential is revoked or its pack goes. */
export function createLive() {
  const open = new Set<Live>()
  return {
    add(live: Live): () => void {
      open.add(live)
      const { endsAt } = live
      const end = () => open.delete(live) && live.close()
      const timer =
        endsAt === undefined
          ? undefined
          : setTimeout(end, Math.min(endsAt - Date.now(), LONGEST_TIMER_MS)).unref()
      return () => {
        clearTimeout(timer)
        open.delete(live)
      }
    },
    closeWhere(matches: (live: Live) => boolean): void {
      for (const live of open)
        if (matches(live)) {
          open.delete(live)
          live.close()
        }
    },
    credentials: () => [...new Set([...open].flatMap(({ credential }) => credential ?? []))],
    users: () =>
      [...open].flatMap(({ by }) =>
        by ? [...new Set([by.id, by.owner])].map((user) => ({ project: by.project, user })) : []
      ),
    get size() {
      return open.size
    }
  }
}
