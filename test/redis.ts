import { createClient } from '@redis/client'

export const REDIS = 'redis://127.0.0.1:6379'

/** Whether a Redis answers there; tests that need one are skipped where none does. */
export const redisAnswers: boolean = await createClient({ url: REDIS, socket: { reconnectStrategy: false } })
  .on('error', () => {})
  .connect()
  .then(
    async (client) => {
      await client.close()
      return true
    },
    () => false
  )
