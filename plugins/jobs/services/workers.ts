import type { Kernel } from 'agent-platform'
import type { Worker } from '../contract.ts'

const name = /^[a-z][a-z0-9-]*\.[a-z0-9][a-z0-9_-]*$/

/** Of a pack, and what it is for; pg-boss writes it into its SQL as it is. */
export function checkQueue(queue: string): string {
  if (!name.test(queue)) throw new TypeError(`A queue is called <pack>.<queue>, not ${queue}`)
  return queue
}

const isOwn = (pack: string, key = '') => key.startsWith(`${pack}.`) && name.test(key)

/** The workers of the packs that are on, by queue; a pack serves its own queues only. */
export const workersOf = (points: Kernel['points']): ReadonlyMap<string, Worker> =>
  new Map(
    points
      .all('jobs.worker')
      .flatMap(({ pack, key, value }) => (key && isOwn(pack, key) ? [[key, value] as const] : []))
  )

/** Contributions that serve nothing, because of their key. */
export const misfitsOf = (points: Kernel['points']): readonly string[] =>
  points.all('jobs.worker').flatMap(({ pack, key = '' }) => (isOwn(pack, key) ? [] : [`${pack}: ${key}`]))
