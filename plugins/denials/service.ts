import type { Kernel, Principal } from 'agent-platform'
import { firstIdAt } from 'agent-platform'
import { explained } from './explanation.ts'
import type { DenialQuery } from './schemas.ts'
import { denials } from './schemas.ts'
import type { DenialSettings } from './settings.ts'

export type DenialService = ReturnType<typeof createDenialService>

interface Deps extends Pick<Kernel, 'knex'> {
  settings: DenialSettings
}

const BATCH = 1_000
const DAY_MS = 86_400_000

export function createDenialService({ knex, settings }: Deps) {
  async function list(by: Principal, { requestId, code, ...page }: DenialQuery) {
    const { data, nextCursor } = await denials.list(knex, by, page, { requestId, code })
    return { data: data.map(explained), nextCursor }
  }

  const read = async (by: Principal, id: string) => explained(await denials.owned(knex, by, id, 'read'))

  /** What is older than the settings say, some at a time. */
  async function removeOld(): Promise<void> {
    const before = firstIdAt('denial', Date.now() - settings.days * DAY_MS)
    const old = knex(denials.name).where('id', '<', before).limit(BATCH).select('id')
    while ((await knex(denials.name).whereIn('id', old.clone()).delete()) === BATCH);
  }

  return { list, read, removeOld }
}
