import type { Kernel } from 'agent-platform'
import type { Db } from 'pg-boss'

interface Client {
  query(text: string, values?: unknown[]): Promise<Result | Result[]>
}
interface Result {
  rows: unknown[]
}

/** What pg-boss sends is a transaction of its own when it is more than one statement. */
const isTransaction = (text: string) => /^\s*begin\b/i.test(text)
/** Before the first job that is sent to a queue; its sender may be in a transaction. */
const isLookUp = (text: string) => /^\s*select\s+q\.name\b/i.test(text)

/**
 * The kernel's connections, as pg-boss wants them. A queue is looked up on those of the hot path: transactions that
 * wait for it may have all the others.
 */
export function overPool(knex: Kernel['knex'], hot: Kernel['hot']): Db {
  async function executeSql(text: string, values?: unknown[]): Promise<Result> {
    const client: Client = await knex.client.acquireConnection()
    try {
      const result = await client.query(text, values)
      return Array.isArray(result) ? { rows: result.flatMap(({ rows }) => rows) } : result
    } catch (error) {
      // Its failure leaves it open, on a connection that others get next.
      if (isTransaction(text)) await client.query('rollback').catch(() => undefined)
      throw error
    } finally {
      void knex.client.releaseConnection(client)
    }
  }
  return {
    executeSql: async (text, values) =>
      values?.length && isLookUp(text)
        ? { rows: [...(await hot.query('jobs.look-up', text, values))] }
        : executeSql(text, values)
  }
}
