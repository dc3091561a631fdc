import { isDeepStrictEqual } from 'node:util'
import type { Kernel, Owned, Principal } from 'agent-platform'
import { conflict, invalid, notFound, preconditionFailed } from 'agent-platform'
import type { Agents } from '../../agents/contract.ts'
import type { Computers } from '../../computers/contract.ts'
import type { RuntimeChanges } from '../schemas/runtimes.ts'
import type { RuntimeRow, RuntimeStore } from '../stores/runtimes.ts'
import type { Ending } from './ending.ts'
import type { Snapshots } from './snapshots.ts'
import type { Supervision } from './supervision.ts'

export type Configuring = ReturnType<typeof createConfiguring>

const MOST_SECRETS = 50
const editable = ['provider', 'image', 'command', 'cwd', 'env', 'minInstances', 'idleSeconds'] as const

interface Deps extends Pick<Kernel, 'transaction'> {
  agents: Agents
  computers: Computers
  runtimeStore: RuntimeStore
  snapshots: Snapshots
  supervision: Supervision
  ending: Ending
}
export type Key = Owned & { readonly agentId: string }

/** What of a runtime its owner sets. */
export function createConfiguring(deps: Deps) {
  const { transaction, agents, computers, runtimeStore, snapshots, supervision, ending } = deps

  async function configure(
    by: Principal,
    key: Key,
    given: RuntimeChanges,
    version?: number
  ): Promise<RuntimeRow> {
    const { agentId } = key
    const before = await runtimeStore.find(key)
    checkKind({
      provider: given.provider === undefined ? (before?.provider ?? null) : given.provider,
      image: given.image === undefined ? (before?.image ?? null) : given.image
    })
    const secrets = await merged(before, given.secrets)
    const clash = Object.keys(secrets).find((name) => Object.hasOwn(given.env ?? before?.env ?? {}, name))
    if (clash !== undefined) throw invalid(`/env/${clash}`, `/env/${clash} is a secret as well`)
    const row = await transaction(async (trx) => {
      if (!(await agents.takeShare(trx, key.project, [agentId]))) throw notFound('Agent')
      const locked = await runtimeStore.take(trx, key)
      if (version !== undefined && version !== locked.version)
        throw preconditionFailed(
          'If-Match does not match the current version. Fetch the runtime and retry with its ETag.'
        )
      const changes: Partial<RuntimeRow> = {}
      for (const name of editable)
        if (given[name] !== undefined && !isDeepStrictEqual(given[name], locked[name]))
          Object.assign(changes, { [name]: given[name] })
      const isResealed = given.secrets !== undefined && Object.keys(given.secrets).length > 0
      if (isResealed && locked.secrets !== (before?.secrets ?? null))
        throw conflict('The secrets were changed meanwhile', { code: 'changed_meanwhile' })
      if (isResealed) {
        const names = Object.keys(secrets).sort()
        Object.assign(changes, {
          secretNames: names,
          secrets: names.length === 0 ? null : await snapshots.sealSecrets(locked, secrets)
        })
      }
      if (Object.keys(changes).length === 0) return locked
      const edited = { version: locked.version + 1, updatedAt: new Date().toISOString() }
      const next = await runtimeStore.update(trx, locked, { ...changes, ...edited })
      await ending.tell(trx, 'runtimes.configured', next, by)
      return next
    })
    if (row.minInstances > 0 && row.desired === 'asleep' && row.deployed !== null) {
      await transaction((trx) => runtimeStore.update(trx, row, { desired: 'awake' }))
      supervision.awakenSoon(key)
    }
    return row
  }

  /** 400 for what there is not; that it does not work now is said when it is deployed. */
  function checkKind({ provider, image }: Pick<RuntimeRow, 'provider' | 'image'>): void {
    const known = computers.providers()
    const found = known.find(({ name }) => name === provider)
    if (provider !== null && !found)
      throw invalid('/provider', `/provider must be one of ${known.map(({ name }) => name).join(', ')}`)
    if (image === null || found?.images.includes(image)) return
    const able = known.filter(({ images }) => images.length > 0).map(({ name }) => name)
    const offers = found?.images.length
      ? `one of ${found.images.join(', ')}, or one that the operator adds`
      : `null: give a /command that lies in the computer, or a /provider that takes images (${able.join(', ')})`
    throw invalid('/image', `/image must be ${offers}`, 'image_not_offered')
  }

  async function merged(row: RuntimeRow | undefined, given: RuntimeChanges['secrets'] = {}) {
    const secrets: Record<string, string> = { ...(row && (await snapshots.openSecrets(row))) }
    for (const [name, value] of Object.entries(given)) {
      if (value === null) delete secrets[name]
      else secrets[name] = value
    }
    if (Object.keys(secrets).length > MOST_SECRETS)
      throw invalid('/secrets', `/secrets must not be more than ${MOST_SECRETS} in all`)
    return secrets
  }

  return { configure }
}
