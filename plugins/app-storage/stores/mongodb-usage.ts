import { setTimeout as delay } from 'node:timers/promises'
import { insufficientStorage } from 'agent-platform'
import type { Collection } from 'mongodb'
import type { DataStore, Place, Quota, State, StoredItem, Usage } from './data-store.ts'
import { excess, NotLive } from './data-store.ts'

export type Row = Place & StoredItem
/** `began` and `ended` count writes: where they are equal, none is under way. */
export type UsageRow = Place & Usage & { began: number; ended: number; beganAt: Date }

export const ALREADY_THERE = 11_000
export const ofPlace = ({ project, appId }: Place) => ({ project, appId })

interface Options {
  readonly items: Collection<Row>
  readonly usages: Collection<UsageRow>
  /** A write that did not end within this is taken for lost: every command is given up long before. */
  readonly lostMs: number
}

/** What is counted of each app, without transactions: before a write, and put right after it. */
export function createMongodbUsage({ items, usages, lostMs }: Options) {
  const find = (place: Place) => usages.findOne(ofPlace(place))

  async function add(place: Place, state: State, token: string | null): Promise<boolean> {
    const none = { bytes: 0, rows: 0, began: 0, ended: 0, beganAt: new Date() }
    return usages.insertOne({ ...ofPlace(place), ...none, state, token }).then(
      () => true,
      (error) => {
        if (error.code !== ALREADY_THERE) throw error
        return false
      }
    )
  }

  /**
   * Counts what is about to be written, so that several writes at a time never keep more than the quota. What a process
   * took along when it died is found where there seems to be no room.
   */
  async function reserve(place: Place, quota: Quota, growth: Quota): Promise<void> {
    const room = {
      ...(growth.bytes > 0 && { bytes: { $lte: quota.bytes - growth.bytes } }),
      ...(growth.rows > 0 && { rows: { $lte: quota.rows - growth.rows } })
    }
    for (let recounted = false; ; ) {
      const { modifiedCount } = await usages.updateOne(
        { ...ofPlace(place), state: 'live', ...room },
        { $inc: { bytes: growth.bytes, rows: growth.rows, began: 1 }, $set: { beganAt: new Date() } }
      )
      if (modifiedCount === 1) return
      const used = await find(place)
      if (used && used.state !== 'live') throw new NotLive(used.state)
      const over = used && excess(quota, used, growth)
      if (!used) await add(place, 'live', null)
      else if (over && !recounted) {
        recounted = true
        await recount(used)
      } else if (over)
        throw insufficientStorage(`The app’s quota of ${over} is used up`, { code: 'quota_exceeded' })
    }
  }

  /** The write has come to its end, of which is known what it kept: takes back the rest. */
  async function settle(place: Place, less: Quota): Promise<void> {
    await usages.updateOne(ofPlace(place), { $inc: { bytes: -less.bytes, rows: -less.rows, ended: 1 } })
  }

  const isQuiet = ({ began, ended, beganAt }: UsageRow) =>
    ended >= began || Date.now() - beganAt.getTime() > lostMs

  /** Nothing where a write is under way, or one began meanwhile. */
  async function recount(used: UsageRow): Promise<void> {
    if (!isQuiet(used)) return
    const sum = { _id: null, bytes: { $sum: '$bytes' }, rows: { $sum: 1 } }
    const [found] = await items.aggregate([{ $match: ofPlace(used) }, { $group: sum }]).toArray()
    const { began, ended } = used
    await usages.updateOne(
      { ...ofPlace(used), began, ended },
      { $set: { bytes: found?.bytes ?? 0, rows: found?.rows ?? 0, ended: began } }
    )
  }

  const enter: DataStore['enter'] = async (place, { from, of, to, token }) => {
    for (;;) {
      const found = await find(place)
      if (!from.includes(found?.state) || (of !== undefined && found?.token !== of)) return false
      if (!found) return add(place, to, token)
      const { modifiedCount } = await usages.updateOne(
        { ...ofPlace(place), state: found.state, token: found.token },
        // `began` and `ended` alike: the document has changed, also where it was in that state.
        { $set: { state: to, token }, $inc: { began: 1, ended: 1 } }
      )
      if (modifiedCount === 1) break
    }
    for (;;) {
      const now = await find(place)
      if (!now || now.state !== to || isQuiet(now)) return true
      await delay(20)
    }
  }

  return { find, reserve, settle, recount, enter }
}
