/** A stream or socket that the kernel holds beyond the request that opened it. */
export interface Live {
  readonly pack: string | undefined
  readonly credential: string | undefined
  close(): void
}

/** Everything that stays open, to be closed when its credential is revoked or its pack goes. */
export function createLive() {
  const open = new Set<Live>()
  return {
    add(live: Live): () => void {
      open.add(live)
      return () => void open.delete(live)
    },
    closeWhere(matches: (live: Live) => boolean): void {
      for (const live of open)
        if (matches(live)) {
          open.delete(live)
          live.close()
        }
    },
    credentials: () => [...new Set([...open].flatMap(({ credential }) => credential ?? []))],
    get size() {
      return open.size
    }
  }
}
