import type { Api } from './api.ts'
import { statusOf } from './api.ts'
import type { Claim } from './objects.ts'
import { COMPUTER, INSTALLATION, isOurs } from './objects.ts'

const MAKE_MS = 30_000
const MERGE = 'application/merge-patch+json'
const units = { '': 1, k: 1e3, M: 1e6, G: 1e9, T: 1e12, Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30, Ti: 2 ** 40 }

/** Bytes of a quantity as Kubernetes writes them; undefined for what is none. */
export function bytesOf(quantity: string | undefined): number | undefined {
  const [, number, unit = ''] = /^(\d+(?:\.\d+)?)(k|M|G|T|Ki|Mi|Gi|Ti)?$/.exec(quantity ?? '') ?? []
  return number === undefined ? undefined : Number(number) * units[unit as keyof typeof units]
}

interface Options {
  readonly api: Api
  readonly namespace: string
  /** Of the cluster's storage classes; empty: its default. */
  readonly storageClass: string
  readonly installation: () => Promise<string>
}

/** The home of each computer: a claim of a volume, which outlives its pods. */
export function createVolumes({ api, namespace, storageClass, installation }: Options) {
  const path = `/api/v1/namespaces/${namespace}/persistentvolumeclaims`
  const nameOf = (own: string, number: number) => `computer-${own.slice(0, 12)}-${number}`

  async function find(own: string, number: number): Promise<Claim | undefined> {
    const name = nameOf(own, number)
    try {
      const found = await api.ask<Claim>('GET', `${path}/${name}`)
      if (found.metadata?.name !== name || !isOurs(found.metadata, own, number))
        throw new Error(`the claim ${name} of the namespace ${namespace} is another's`)
      return found
    } catch (error) {
      if (statusOf(error) === 404) return undefined
      throw error
    }
  }

  async function grow(name: string, has: string | undefined, storage: string): Promise<void> {
    try {
      const body = { spec: { resources: { requests: { storage } } } }
      await api.ask('PATCH', `${path}/${name}`, { body, type: MERGE, ms: MAKE_MS })
    } catch (error) {
      if (![403, 422].includes(statusOf(error) ?? -1)) throw error
      throw new Error(
        `the volume has ${has ?? 'less'} and cannot grow to ${storage}: ${(error as Error).message}`
      )
    }
  }

  return {
    /** Its name. Made where there is none, grown where it is smaller; one that is larger stays as it is. */
    async open(number: number, storageMb: number): Promise<string> {
      const own = await installation()
      const name = nameOf(own, number)
      const storage = `${storageMb}Mi`
      const found = await find(own, number)
      if (found?.metadata?.deletionTimestamp) throw new Error('the volume is being deleted')
      if (found) {
        const has = found.spec?.resources?.requests?.storage
        if ((bytesOf(has) ?? 0) < storageMb * 1_048_576) await grow(name, has, storage)
        return name
      }
      const labels = { [INSTALLATION]: own, [COMPUTER]: String(number) }
      const spec = {
        accessModes: ['ReadWriteOnce'],
        resources: { requests: { storage } },
        ...(storageClass && { storageClassName: storageClass })
      }
      const kind = { apiVersion: 'v1', kind: 'PersistentVolumeClaim' }
      await api.ask('POST', path, { body: { ...kind, metadata: { name, labels }, spec }, ms: MAKE_MS })
      return name
    },

    /** With all that lies in it, as the storage class has it; also where there is none. */
    async remove(number: number): Promise<void> {
      const own = await installation()
      const found = await find(own, number)
      if (!found) return
      const body = { preconditions: { uid: found.metadata?.uid } }
      await api.ask('DELETE', `${path}/${nameOf(own, number)}`, { body }).catch((error) => {
        if (statusOf(error) !== 404) throw error
      })
    }
  }
}
