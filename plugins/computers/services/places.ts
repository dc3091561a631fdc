interface Waiter {
  readonly owner: string
  take(): void
}

/**
 * Places of which owners take turns. Whoever holds some leaves as many free as it holds, so that there is one for an owner who comes
 * later, however long those run that are there; of those who wait, the one who holds least is next.
 */
export function createPlaces({ most, mostOfOwner }: { most: number; mostOfOwner: number }) {
  const held = new Map<string, number>()
  let waiting: Waiter[] = []
  let taken = 0

  const of = (owner: string) => held.get(owner) ?? 0
  const mayTake = (owner: string) => of(owner) < Math.min(mostOfOwner, most - taken)

  function hold(owner: string): () => void {
    taken++
    held.set(owner, of(owner) + 1)
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      taken--
      if (of(owner) === 1) held.delete(owner)
      else held.set(owner, of(owner) - 1)
      next()
    }
  }

  function next(): void {
    for (;;) {
      const able = waiting.filter(({ owner }) => mayTake(owner))
      const [first] = able.sort((a, b) => of(a.owner) - of(b.owner))
      if (!first) return
      waiting = waiting.filter((it) => it !== first)
      first.take()
    }
  }

  return {
    /** How many wait for one, of that owner. */
    waiting: (owner: string): number => waiting.filter((it) => it.owner === owner).length,

    /** A place; what it gives gives it back. Undefined where none has come free for that owner in time. */
    async take(owner: string, patienceMs: number): Promise<(() => void) | undefined> {
      if (mayTake(owner) && !waiting.some((it) => it.owner === owner)) return hold(owner)
      return new Promise((resolve) => {
        const waiter = {
          owner,
          take() {
            clearTimeout(timer)
            resolve(hold(owner))
          }
        }
        const timer = setTimeout(() => {
          waiting = waiting.filter((it) => it !== waiter)
          resolve(undefined)
        }, patienceMs)
        waiting.push(waiter)
      })
    }
  }
}
