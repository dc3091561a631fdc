import { useSearchParams } from 'wouter'

/**
 * What stands behind the `?` of the address: read, and changed name by name. What is null, undefined or empty leaves the address.
 * Changes take the place of the entry in the history, unless `push` is set: for what the back button is to close.
 */
export function useAddress() {
  const [search, setSearch] = useSearchParams()
  const change = (
    changes: Readonly<Record<string, string | null | undefined>>,
    { push = false }: { push?: boolean } = {}
  ) =>
    setSearch(
      (before) => {
        const next = new URLSearchParams(before)
        for (const [name, value] of Object.entries(changes))
          if (value) next.set(name, value)
          else next.delete(name)
        return next
      },
      { replace: !push }
    )
  return { search, change }
}
