import type { Kernel, Trx } from 'agent-platform'
import { conflict, newId } from 'agent-platform'
import type { Jobs } from '../../jobs/contract.ts'
import type { DataStore, Place } from '../stores/data-store.ts'
import type { Placement, PlacementStore, Provider } from '../stores/placements.ts'
import { actorOf } from './actor.ts'
import type { StoreConnections } from './connections.ts'
import { targetOf } from './connections.ts'
import { copy, survey } from './copying.ts'
import type { Leftovers } from './leftovers.ts'

export type Moves = ReturnType<typeof createMoves>
export const MOVE_QUEUE = 'app-storage.move'

/** Passes before the last one; each copies what was written during the one before. */
const PASSES = 5
/** So few are left to the last pass, while which nothing is written. */
const FEW = 100
const TRIES = 5
const CALLED_OFF = 'move_called_off'

interface Deps extends Pick<Kernel, 'transaction' | 'facts' | 'log'> {
  jobs: Jobs
  placementStore: PlacementStore
  storeConnections: StoreConnections
  leftovers: Leftovers
}

/**
 * Moves the data of an app to another store. The old store is what the app uses until everything lies in the new one:
 * whatever breaks off before loses nothing, and is begun again from what is there already.
 */
export function createMoves({
  transaction,
  facts,
  log,
  jobs,
  placementStore,
  storeConnections,
  leftovers
}: Deps) {
  async function work(data: object, signal: AbortSignal): Promise<void> {
    const { project, appId, token } = data as Place & { token: string }
    const place = { project, appId }
    const row = await placementStore.find(place)
    if (!row || row.token !== token || row.target === null) return
    try {
      await storeConnections.use(row, async (source) => {
        // One that died while nothing was written left it so; whatever comes of this try, the app goes on.
        await source.enter(place, { from: ['frozen'], to: 'live', token: null })
        await storeConnections.use(targetOf(row), (target) => attempt(row, token, source, target, signal))
      })
    } catch (error) {
      if (signal.aborted) throw error
      const tries = row.tries + 1
      const { code = 'move_failed' } = error as { code?: string }
      log.warn({ err: error, app: appId, tries }, 'the data of an app did not move')
      const isOver = tries >= TRIES
      await placementStore.updateMove(place, token, { tries, ...(isOver && { failure: String(code) }) })
      if (!isOver) throw error
    }
  }

  /** What was copied for a move that was called off meanwhile is nobody's. */
  async function attempt(
    row: Placement,
    token: string,
    source: DataStore,
    target: DataStore,
    signal: AbortSignal
  ) {
    await move(row, token, source, target, signal).catch(async (error) => {
      if (error.code !== CALLED_OFF) throw error
      while ((await target.clear(row, 500, true)) > 0) signal.throwIfAborted()
    })
  }

  async function move(
    row: Placement,
    token: string,
    source: DataStore,
    target: DataStore,
    signal: AbortSignal
  ) {
    const place: Place = { project: row.project, appId: row.appId }
    const before = await source.usage(place)
    const isOver = before?.state === 'moved' && before.token === token
    if (!isOver) {
      await prepare(place, target, token)
      const total = before?.rows ?? 0
      const progress = async (moved: number) => {
        if (!(await placementStore.updateMove(place, token, { moved: Math.min(moved, total), total })))
          throw conflict('The move was called off', { code: CALLED_OFF })
      }
      for (let pass = 1; pass <= PASSES; pass++)
        if ((await copy(place, source, target, signal, progress)).changed <= FEW) break
      await finish(place, token, source, target, signal, progress)
    }
    await switchOver(row, token)
  }

  /** Only what is empty, or what a move left there, is written over. */
  async function prepare(place: Place, target: DataStore, token: string): Promise<void> {
    const found = await target.usage(place)
    const isOurs = found?.token === token || found?.rows === 0
    const from = [undefined, 'moved', 'filling', ...(isOurs ? (['live'] as const) : [])] as const
    if (await target.enter(place, { from, to: 'filling', token })) return
    throw conflict('The store has data of this app already', { code: 'store_not_empty' })
  }

  /** While the source takes no writes: copies what is left, compares both, and hands over. */
  async function finish(
    place: Place,
    token: string,
    source: DataStore,
    target: DataStore,
    signal: AbortSignal,
    progress: (moved: number) => Promise<void>
  ): Promise<void> {
    // Of this try: another one that comes too late does not take its place.
    const freeze = newId('freeze')
    if (!(await source.enter(place, { from: [undefined, 'live', 'frozen'], to: 'frozen', token: freeze })))
      throw new Error('The source is in use by another move')
    try {
      await copy(place, source, target, signal, progress)
      const [ours, theirs] = [await survey(place, source, signal), await survey(place, target, signal)]
      if (ours.rows !== theirs.rows || ours.digest !== theirs.digest)
        throw new Error('The stores differ after everything was copied')
      await target.recount(place)
      if (
        !(await placementStore.updateMove(place, token, {
          isSwitching: true,
          moved: ours.rows,
          total: ours.rows
        }))
      )
        throw conflict('The move was called off', { code: CALLED_OFF })
      const isThere = await target.enter(place, { from: ['filling'], of: token, to: 'live', token })
      if (!isThere || !(await source.enter(place, { from: ['frozen'], of: freeze, to: 'moved', token })))
        throw new Error('The stores are in use by another move')
    } catch (error) {
      await thaw(place, token, source, freeze).catch((cause) =>
        log.error({ err: cause, app: place.appId }, 'a store that does not move takes no writes yet')
      )
      throw error
    }
  }

  async function thaw(place: Place, token: string, source: DataStore, freeze: string): Promise<void> {
    if (await source.enter(place, { from: ['frozen'], of: freeze, to: 'live', token: null }))
      await placementStore.updateMove(place, token, { isSwitching: false })
  }

  async function switchOver(row: Placement, token: string): Promise<void> {
    const { project, appId, owner, provider, connection, target, targetConnection, targetHost } = row
    const there = { provider: target as Provider, connection: targetConnection, host: targetHost }
    await transaction(async (trx) => {
      if (!(await placementStore.updateMove(row, token, { ...there, ...still }, trx))) return
      await leftovers.add(trx, { project, appId, token, provider, connection, whole: false })
      const data = { id: appId, from: provider, to: there.provider }
      await facts.record(trx, 'app-storage.provider_changed', actorOf(row), { subject: appId, owner, data })
    })
  }

  /** Begins it, or goes on with it, when the transaction is committed. */
  async function begin(trx: Trx, place: Place, token: string): Promise<void> {
    const { project, appId } = place
    await jobs.send(MOVE_QUEUE, { project, appId, token }, { trx, key: token })
  }

  return { work, begin }
}

/** What a row that is not moving has. */
export const still = {
  target: null,
  targetConnection: null,
  targetHost: null,
  token: null,
  isSwitching: false,
  failure: null,
  moved: 0,
  total: 0,
  tries: 0
} as const
