import type { Job } from 'pg-boss'
import { PgBoss } from 'pg-boss'
import type { Connection } from '../../database.ts'
import { answer } from './answers.ts'

const QUEUE = 'bench'
/** As the platform has them. */
const CONNECTIONS = 10
let boss: PgBoss

/** So many jobs, each sent, fetched and completed: three commits. Resolves with the milliseconds. */
async function run({ count, atOnce }: { count: number; atOnce: number }): Promise<number> {
  const startedAt = performance.now()
  let left = count
  const worker = async () => {
    while (left-- > 0) {
      await boss.send(QUEUE, { n: left })
      // What another one is just looking at is not found.
      let job: Job | undefined
      while (!job) [job] = await boss.fetch(QUEUE)
      await boss.complete(QUEUE, job.id, { n: left })
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
