import type { Job } from 'pg-boss'
import { PgBoss } from 'pg-boss'
import type { Connection } from '../../database.ts'
import { answer } from './answers.ts'

const QUEUE = 'bench'
/** As the platform has them. */
const CONNECTIONS = 10
let boss: PgBoss

interface Order {
  readonly count: number
  /** Jobs that are sent by one statement, fetched by another, and completed by a third: three commits for all of them. */
  readonly together: number
  readonly atOnce: number
}

/** So many jobs, each sent, fetched and completed. Resolves with the milliseconds. */
async function run({ count, together, atOnce }: Order): Promise<number> {
  const startedAt = performance.now()
  let left = count
  const worker = async () => {
    while (left > 0) {
      const size = Math.min(left, together)
      left -= size
      await boss.insert(
        QUEUE,
        Array.from({ length: size }, (_, n) => ({ data: { n } }))
      )
      for (let open = size; open > 0; ) {
        // What another one is just looking at is not found.
        const jobs: Job[] = await boss.fetch(QUEUE, { batchSize: open })
        const ids = jobs.map(({ id }) => id)
        if (ids.length > 0) await boss.complete(QUEUE, ids, { n: size })
        open -= ids.length
      }
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return performance.now() - startedAt
}

answer(
  {
    async start({ connection }: { connection: Connection }) {
      boss = new PgBoss({ ...connection, max: CONNECTIONS, supervise: false, schedule: false } as never)
      await boss.start()
      await boss.createQueue(QUEUE)
    },
    run
  },
  () => boss.stop({ graceful: false })
)
