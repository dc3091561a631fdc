import type { Kernel, Owned, Principal, Trx } from 'agent-platform'
import { forbidden, newId } from 'agent-platform'
import type { Jobs } from '../../jobs/contract.ts'
import type { Objects } from '../../storage/contract.ts'
import type { AddressStore } from '../stores/addresses.ts'
import type { ItemRow } from '../stores/items.ts'
import { cidOf } from './cid.ts'
import type { Network } from './network.ts'
import type { Preference, Storage } from './schemas.ts'
import { preferences } from './schemas.ts'

export type Addressing = ReturnType<typeof createAddressing>

/** The queue of owners whose items want CIDs. */
export const ADDRESS_QUEUE = 'library.address'

interface Deps extends Pick<Kernel, 'transaction' | 'facts' | 'log'> {
  jobs: Jobs
  storage: Objects
  network: Network
  addressStore: AddressStore
}

/** Which owners want their items to be content-addressed, and the CIDs of those. */
export function createAddressing({ transaction, facts, log, jobs, storage, network, addressStore }: Deps) {
  async function read({ project, owner }: Principal): Promise<Preference> {
    const row = await addressStore.find({ project, owner })
    if (!row) return { owner, storage: 'object', version: 0, updatedAt: null }
    return shown(row)
  }

  async function update(by: Principal, storage: Storage | undefined, version?: number): Promise<Preference> {
    if (by.type === 'agent')
      throw forbidden('Preferences are not an agent’s to change', { code: 'agent_principal' })
    const { project, owner } = by
    return transaction(async (trx) => {
      const found = await addressStore.lock(trx, by, newId('preference'))
      const { row, isChanged } = await preferences.update(trx, found, storage ? { storage } : {}, version)
      const data = shown(row)
      if (isChanged) {
        await facts.record(trx, 'library.preference_updated', by, { subject: owner, owner, data })
        await request(trx, { project, owner })
      }
      return data
    })
  }

  /** Has the CIDs made that the owner's items want, in the background. */
  async function request(trx: Trx, { project, owner }: Owned): Promise<void> {
    const found = await addressStore.find({ project, owner }, trx)
    if (found?.storage !== 'content-addressed') return
    await jobs.send(ADDRESS_QUEUE, { project, owner }, { trx, key: JSON.stringify([project, owner]) })
  }

  async function work(data: object, signal: AbortSignal): Promise<void> {
    const { project, owner } = data as Owned
    let failure: unknown
    for (let after = ''; ; ) {
      signal.throwIfAborted()
      const isWanted = (await addressStore.find({ project, owner }))?.storage === 'content-addressed'
      const row = isWanted ? await addressStore.findUnaddressed({ project, owner }, after) : undefined
      if (!row) break
      after = row.id
      await address(row, signal).catch((error) => {
        // The others get theirs; the job is tried again for this one.
        log.warn({ err: error, item: row.id }, 'an item got no CID')
        failure = error
      })
    }
    if (failure !== undefined) throw failure
  }

  async function address(row: ItemRow, signal: AbortSignal): Promise<void> {
    const content = await storage.open(row.sha256)
    const stop = () => content.destroy()
    signal.addEventListener('abort', stop, { once: true })
    try {
      const cid = await cidOf(content)
      await network.add(row, cid, signal)
      await transaction(async (trx) => {
        if (!(await addressStore.updateCid(trx, row, cid))) return
        const { id, owner } = row
        await facts.record(trx, 'library.addressed', actorOf(row), { subject: id, owner, data: { id, cid } })
      })
    } finally {
      signal.removeEventListener('abort', stop)
      content.destroy()
    }
  }

  return { read, update, request, work }
}

/** The owner, as whom the platform does it: it may nothing else. */
const actorOf = ({ project, owner }: Owned): Principal => {
  return { id: owner, type: 'user', project, owner, scopes: new Set(), narrowed: false, credential: '' }
}

const shown = ({ owner, storage, version, updatedAt }: Preference): Preference => {
  return { owner, storage, version, updatedAt }
}
