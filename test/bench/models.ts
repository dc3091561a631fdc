import type { Scope } from './scope.ts'
import { startSide } from './side.ts'

/** What the model says, again and again. */
export const WORD = 'tok '

/** How a model behaves that is asked for by this name. */
export interface Manner {
  readonly tokens: number
  /** Milliseconds between tokens; default: all at once. */
  readonly delay?: number
  /** Streamed only: each token is the time at which it was written, in microseconds of the machine's monotonic clock. */
  readonly stamped?: boolean
}

export function nameOf({ tokens, delay = 0, stamped = false }: Manner): string {
  return `mock?tokens=${tokens}&delay=${delay}${stamped ? '&stamped=1' : ''}`
}

export function mannerOf(name: string): Manner {
  const query = new URLSearchParams(name.slice(name.indexOf('?') + 1))
  const number = (field: string) => Number(query.get(field) ?? 0)
  return { tokens: number('tokens'), delay: number('delay'), stamped: number('stamped') === 1 }
}

export interface ModelCounts {
  readonly requests: number
  readonly tokens: number
}

export interface Model {
  readonly url: string
  /** What it was asked and what it said so far. */
  counts(): Promise<ModelCounts>
}

/** A chat-completions server as a process of its own, which all that are compared ask. */
export async function startModel(scope: Scope): Promise<Model> {
  const side = await startSide(scope, 'model')
  const { url } = await side.ask<{ url: string }>('address')
  return { url, counts: () => side.ask('counts') }
}
