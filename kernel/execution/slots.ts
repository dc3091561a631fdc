import type { Owned } from '../identity/ownership.ts'

export type Slots = ReturnType<typeof createSlots>

/** Whose it is, as far as that is known. */
export type Holder = Partial<Pick<Owned, 'project' | 'owner'>>

interface Slot {
  /** Whether it was to be executed once more meanwhile: what it began to wait for may have come just then. */
  again: boolean
  readonly holder: string | undefined
}

/** How many of so many slots one owner may have: a fourth of them is left to others. */
export const shareOf = (limit: number): number =>
  Number.isFinite(limit) ? Math.max(1, limit - Math.floor(limit / 4)) : limit

const holderOf = ({ project, owner }: Holder): string | undefined =>
  project === undefined || owner === undefined ? undefined : JSON.stringify([project, owner])

/** What one kind executes in this process: no more than its limit, and no more of one owner than its share of that. */
export function createSlots(limit: () => number) {
  const slots = new Map<string, Slot>()
  const counts = new Map<string, number>()

  const free = (): number => limit() - slots.size
  const isFull = (holder: string | undefined): boolean =>
    free() <= 0 || (holder !== undefined && (counts.get(holder) ?? 0) >= shareOf(limit()))

  function count(holder: string | undefined, by: 1 | -1): void {
    if (holder === undefined) return
    const now = (counts.get(holder) ?? 0) + by
    if (now > 0) counts.set(holder, now)
    else counts.delete(holder)
  }

  return {
    free,
    find: (id: string): Slot | undefined => slots.get(id),
    /** False over the limit, and over the share of its owner. */
    take(id: string, whose: Holder): boolean {
      const holder = holderOf(whose)
      if (isFull(holder)) return false
      slots.set(id, { again: false, holder })
      count(holder, 1)
      return true
    },
    /** Whether others may have been refused while it was taken. */
    leave(id: string): boolean {
      const slot = slots.get(id)
      const wasFull = isFull(slot?.holder)
      if (slots.delete(id)) count(slot?.holder, -1)
      return wasFull
    }
  }
}
