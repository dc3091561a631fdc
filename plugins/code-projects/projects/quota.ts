import type { Owned, Trx } from 'agent-platform'
import { insufficientStorage } from 'agent-platform'
import type { CodeProjectSettings } from '../settings.ts'

export type Quota = ReturnType<typeof createQuota>

/** What the owner of projects may have of them in all. */
export function createQuota({ settings }: { settings: CodeProjectSettings }) {
  return {
    /** 507 where the rows that an owner has in a table are more than that, as the transaction sees them. */
    async check(trx: Trx, table: string, { project, owner }: Owned): Promise<void> {
      const row = await trx(table).where({ project, owner }).sum('bytes as bytes').first()
      if (Number(row?.bytes ?? 0) <= settings.ownerBytes) return
      throw insufficientStorage('The quota of code projects is used up; delete some first', {
        code: 'quota_exceeded'
      })
    }
  }
}
