import type { Collection } from '../../retrieval/contract.ts'
import type { MemoryStore } from '../stores/memories.ts'
import { entryOf } from './writing.ts'

/** What is searched of memories. */
export const memoryCollection = ({ memoryStore }: { memoryStore: MemoryStore }): Collection => ({
  name: 'Memories',
  async list(trx, project, after, limit) {
    const rows = await memoryStore.listAfter(trx, project, after, limit)
    return rows.map((row) => ({ ...entryOf(row), owner: row.owner }))
  }
})
