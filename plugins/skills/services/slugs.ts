/** Segments of the pack's own routes, and what the platform keeps for itself. */
const RESERVED = new Set(['agents', 'import', 'index', 'public', 'static'])
const MAX = 64
const AT_ONCE = 50

export const isReserved = (slug: string): boolean => RESERVED.has(slug)

/** The name itself where it is free, else with the first number that makes it so. */
export async function freeSlug(
  name: string,
  takenOf: (slugs: readonly string[]) => Promise<ReadonlySet<string>>
): Promise<string> {
  for (let from = 1; ; from += AT_ONCE) {
    const slugs = Array.from({ length: AT_ONCE }, (_, index) => numbered(name, from + index))
    const taken = await takenOf(slugs)
    const free = slugs.find((slug) => !taken.has(slug) && !isReserved(slug))
    if (free !== undefined) return free
  }
}

function numbered(name: string, count: number): string {
  if (count === 1) return name
  const end = `-${count}`
  return `${name.slice(0, MAX - end.length).replace(/-$/, '')}${end}`
}
