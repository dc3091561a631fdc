import { rateLimited } from '../contract/errors.ts'
import type { Limits } from './limits.ts'

/** Counts one of what a pack limits to so many a minute, under names of its own. */
export const createPackLimit =
  (limits: Limits, pack: string) =>
  async (name: string, key: string, perMinute: number): Promise<void> => {
    const bucket = limits.bucketOf(`${pack}.${name}`, perMinute, key)
    if (bucket.take()) return
    const seconds = await bucket.lease()
    if (seconds > 0) throw rateLimited(seconds)
  }
