import type { Run } from 'agent-platform-client'

/** Milliseconds as people read them. */
export function inWords(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`
  const seconds = ms / 1_000
  if (seconds < 60) return `${seconds.toFixed(1)} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min ${Math.floor(seconds % 60)} s`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** How long a run took, from when it was asked for until its end. */
export const durationOf = ({ createdAt, endedAt }: Pick<Run, 'createdAt' | 'endedAt'>): string =>
  endedAt ? inWords(Date.parse(endedAt) - Date.parse(createdAt)) : 'Not ended yet'
