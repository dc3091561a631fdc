import type { Kernel } from 'agent-platform'
import type { StoredRun } from './row.ts'

export type TrustStore = ReturnType<typeof createTrustStore>

/** Who asked for the runs of a session. */
export const createTrustStore = ({ knex }: Pick<Kernel, 'knex'>) => ({
  /** One of those that no person asked for, if there are any. */
  async findUntrusted({
    project,
    sessionId
  }: Pick<StoredRun, 'project' | 'sessionId'>): Promise<string | undefined> {
    const query = knex('runs.run').where({ project, sessionId }).whereRaw(`request->'trusted' is null`)
    return (await query.first('id'))?.id
  }
})
