import { useState } from 'react'
import { useSession } from './session.tsx'

const PREFIX = 'draft '
const KEPT_MS = 30 * 24 * 60 * 60 * 1000

interface Stored<T> {
  /** Names the caller and the place. */
  readonly key: string
  read(): T | undefined
  /** Undefined removes it. */
  write(value: T | undefined): void
}

/**
 * Input that is not saved or sent yet, kept in this browser for 30 days. By caller and place: `agent agent_…`. Sign-out removes it.
 * Never secrets.
 */
export function useStored<T>(place: string): Stored<T> {
  const { principal } = useSession()
  const key = `${PREFIX}${principal?.project} ${principal?.id} ${place}`
  return {
    key,
    read() {
      try {
        return (JSON.parse(localStorage.getItem(key) ?? '{}') as { value?: T }).value
      } catch {
        return undefined
      }
    },
    write(value) {
      try {
        if (value === undefined) localStorage.removeItem(key)
        else localStorage.setItem(key, JSON.stringify({ value, at: Date.now() }))
      } catch {
        // There is no room for it: better none than an old one.
        localStorage.removeItem(key)
      }
    }
  }
}

/** A text that survives until it is sent: a state that is stored in this browser by its place. */
export function useStoredText(place: string): [text: string, setText: (text: string) => void] {
  const { key, read, write } = useStored<string>(place)
  const [state, setState] = useState(() => ({ key, text: read() ?? '' }))
  if (state.key !== key) setState({ key, text: read() ?? '' })
  return [
    state.key === key ? state.text : '',
    (text) => {
      setState({ key, text })
      write(text || undefined)
    }
  ]
}

/** Removes what callers of this browser entered and did not save, on sign-out: all of it, or what is older than a time in milliseconds. */
export function removeStored(olderThan = Number.POSITIVE_INFINITY): void {
  for (const key of Object.keys(localStorage).filter((it) => it.startsWith(PREFIX))) {
    const at = Number(/"at":(\d+)\}$/.exec(localStorage.getItem(key) ?? '')?.[1] ?? 0)
    if (at < olderThan) localStorage.removeItem(key)
  }
}
removeStored(Date.now() - KEPT_MS)
