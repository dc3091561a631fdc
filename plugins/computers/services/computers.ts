import { isDeepStrictEqual } from 'node:util'
import type { Kernel, Owned, Paging, Principal, Verb } from 'agent-platform'
import { conflict, notFound, preconditionFailed } from 'agent-platform'
import type { Agents } from '../../agents/contract.ts'
import type { Computer, ComputerConfig, ComputerConfigChanges, ComputerSize } from '../schemas/computers.ts'
import { defaults, writable } from '../schemas/computers.ts'
import type { ComputerEvent } from '../schemas/events.ts'
import type { ComputerRow, ComputerStore } from '../stores/computers.ts'
import type { Holding } from './holding.ts'
import type { Providers } from './providers.ts'
import type { Sleeping } from './sleeping.ts'
import type { Transitions } from './transitions.ts'
import type { Waking } from './waking.ts'

export type ComputerService = ReturnType<typeof createComputerService>

interface Deps extends Pick<Kernel, 'transaction'> {
  agents: Agents
  holding: Holding
  sleeping: Sleeping
  waking: Waking
  providers: Providers
  computerStore: ComputerStore
  transitions: Transitions
}
type Key = Owned & { readonly agentId: string }

export const isOff = () => conflict('The computer is off: enable it first', { code: 'computer_off' })

/** The computer of each agent, as people and other packs have it. */
export function createComputerService(deps: Deps) {
  const { transaction, agents, holding, sleeping, waking, providers, computerStore, transitions } = deps

  async function keyOf(by: Principal, agentId: string, verb: Verb, param?: string): Promise<Key> {
    const { project, owner } = await agents.owned(by, agentId, verb, param)
    return { project, owner, agentId }
  }

  /** One that is enabled; 409 otherwise. */
  async function enabled(by: Principal, agentId: string, verb: Verb, param?: string): Promise<ComputerRow> {
    const row = await computerStore.find(await keyOf(by, agentId, verb, param))
    if (!row?.enabled) throw isOff()
    return row
  }

  async function show(key: Key, row: ComputerRow | undefined): Promise<Computer> {
    const it =
      row ??
      ({
        ...defaults,
        id: null,
        state: 'off',
        desired: 'off',
        reason: null,
        storageBytes: 0,
        wokeAt: null,
        changedAt: null
      } as const)
    const {
      id,
      state,
      desired,
      reason,
      provider,
      image,
      vcpu,
      memoryMb,
      storageMb,
      gpu,
      storageBytes,
      wokeAt,
      changedAt
    } = it
    const memory = id ? await holding.machineOf(id)?.memory() : undefined
    return {
      ...{ id, agentId: key.agentId, owner: key.owner, state, desired, reason, provider, image },
      capabilities: providers.find(provider)?.capabilities ?? null,
      ...{ vcpu, memoryMb, storageMb, gpu, storageBytes, memoryBytes: memory ?? null, wokeAt, changedAt }
    }
  }
  const shown = async (row: ComputerRow): Promise<Computer> => show(row, await computerStore.find(row))

  async function read(by: Principal, agentId: string): Promise<Computer> {
    const key = await keyOf(by, agentId, 'read')
    return show(key, await computerStore.find(key))
  }

  async function readConfig(by: Principal, agentId: string): Promise<ComputerConfig> {
    const key = await keyOf(by, agentId, 'read')
    return configOf(key, await computerStore.find(key))
  }

  /** What is given and differs, as one edit. */
  async function edit(
    by: Principal,
    key: Key,
    changes: Partial<ComputerRow>,
    type: 'configured' | 'resized',
    version?: number
  ) {
    return transaction(async (trx) => {
      if (!(await agents.takeShare(trx, key.project, [key.agentId]))) throw notFound('Agent')
      const before = await computerStore.take(trx, key)
      if (version !== undefined && version !== before.version)
        throw preconditionFailed(
          'If-Match does not match the current version. Fetch the configuration and retry with its ETag.'
        )
      const after = { ...before, ...changes }
      providers.check(after.provider, after)
      const differs = writable.filter((name) => !isDeepStrictEqual(before[name], after[name]))
      if (differs.length === 0) return { before, row: before }
      const edited = { version: before.version + 1, updatedAt: new Date().toISOString() }
      const turned = after.enabled !== before.enabled && !before.instance
      const state = after.enabled ? ('asleep' as const) : ('off' as const)
      const row = await computerStore.update(trx, before, {
        ...changes,
        ...edited,
        ...(turned && { state, desired: state })
      })
      await transitions.note(trx, row, type)
      await transitions.tell(trx, by, type === 'resized' ? 'computers.resized' : 'computers.configured', row)
      return { before, row }
    })
  }

  async function updateConfig(
    by: Principal,
    agentId: string,
    given: ComputerConfigChanges,
    version?: number
  ) {
    const key = await keyOf(by, agentId, 'change')
    const changes = Object.fromEntries(
      writable.filter((name) => given[name] !== undefined).map((name) => [name, given[name]])
    )
    const { row } = await edit(by, key, changes, 'configured', version)
    sleeping.changed(row)
    if (!row.enabled && row.instance !== null) await sleeping.sleepAnywhere(row, 'off', by)
    return configOf(key, row)
  }

  async function wake(by: Principal, agentId: string): Promise<Computer> {
    const row = await enabled(by, agentId, 'change')
    await waking.wake(row, by)
    return shown(row)
  }

  async function sleep(by: Principal, agentId: string): Promise<Computer> {
    const row = await enabled(by, agentId, 'change')
    await sleeping.sleepAnywhere(row, 'asleep', by)
    return shown(row)
  }

  async function restart(by: Principal, agentId: string): Promise<Computer> {
    const row = await enabled(by, agentId, 'change')
    await sleeping.sleepAnywhere(row, 'asleep', by)
    await waking.wake(row, by)
    return shown(row)
  }

  async function resize(by: Principal, agentId: string, size: ComputerSize): Promise<Computer> {
    const key = await keyOf(by, agentId, 'change')
    const { row } = await edit(by, key, size, 'resized')
    if (row.instance === null) return shown(row)
    await sleeping.sleepAnywhere(row, 'asleep', by)
    await waking.wake(row, by)
    return shown(row)
  }

  async function listEvents(by: Principal, agentId: string, page: Paging & { type?: ComputerEvent['type'] }) {
    await keyOf(by, agentId, 'read')
    return computerStore.listEvents(by, agentId, page)
  }

  /** The stream of its events; 404 before the first one. */
  async function streamOf(by: Principal, agentId: string) {
    const row = await computerStore.find(await keyOf(by, agentId, 'read'))
    if (!row) throw notFound('Computer')
    return { project: row.project, stream: row.id, idField: 'computerId' }
  }

  return {
    read,
    readConfig,
    updateConfig,
    wake,
    sleep,
    restart,
    resize,
    listEvents,
    streamOf,
    enabled
  }
}

function configOf({ agentId, owner }: Key, row: ComputerRow | undefined): ComputerConfig {
  const { enabled, provider, image, vcpu, memoryMb, storageMb, gpu, allowedHosts, idleSeconds } =
    row ?? defaults
  const given = { enabled, provider, image, vcpu, memoryMb, storageMb, gpu, allowedHosts, idleSeconds }
  const { version = 0, createdAt = null, updatedAt = null } = row ?? {}
  return { agentId, owner, ...given, version, createdAt, updatedAt }
}
