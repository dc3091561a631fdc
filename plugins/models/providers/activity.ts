/** What has come over a connection so far; pings and comments count, of which a reply says nothing. */
export interface Activity {
  received: number
}

const watched = new WeakMap<AbortSignal, Activity>()

/** A signal of its own for one call of a vendor's client, which hands it on to `fetch`: what comes for it is counted. */
export function watch(signal: AbortSignal | undefined): { signal: AbortSignal; activity: Activity } {
  const own = AbortSignal.any(signal ? [signal] : [])
  const activity = { received: 0 }
  watched.set(own, activity)
  return { signal: own, activity }
}

/** Undefined for a call that nobody watches. */
export const activityOf = (signal: AbortSignal | null | undefined): Activity | undefined =>
  signal ? watched.get(signal) : undefined
