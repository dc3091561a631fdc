import { setTimeout as delay } from 'node:timers/promises'
import type { Executions, ExecutionTable, Kernel } from 'agent-platform'
import { newId } from 'agent-platform'
import type { Booted, BootOptions } from '../../test/boot.ts'
import { boot } from '../../test/boot.ts'
import { packText } from '../../test/pack-folders.ts'
import { hear, workshop } from '../../test/packs/stage.ts'
import type { ExecutionRow } from '../contract/execution.ts'

export interface Scope {
  teardown(work: () => unknown): unknown
}

/** A step of a sheet that has begun: it is over when the test says so. */
export interface Begun {
  readonly id: string
  readonly attempt: number
  readonly exhausted: boolean
  readonly version: string
  readonly instance: number
  readonly handOver: AbortSignal
  readonly stop: AbortSignal
  end(outcome: 'again' | 'waiting' | 'completed' | 'cancelled'): void
}

/** What the press has of the platform, in each generation. */
export interface Opened {
  readonly sheets: ExecutionTable<ExecutionRow>
  readonly executions: Executions
  readonly transaction: Kernel['transaction']
  readonly streams: Kernel['streams']
}

/** A pack that prints sheets: each step of one waits for the test. */
export const press = (version = 'first', fields = '') => ({
  'migrations/0001-create-sheet.ts': `
    export const up = (knex) => knex.raw(\`create table press.sheet (
      project text not null, id text not null, owner text not null, status text not null, instance integer,
      attempt integer not null default 1, crashes integer not null default 0, wakes integer not null default 0,
      "cancelledFor" text, "endedAt" timestamptz, primary key (project, id))\`)
    export const down = (knex) => knex.raw('drop table press.sheet')`,
  'pack.ts': packText(
    'press',
    `services: {
      sheets: (deps) => executionTable(deps, 'press.sheet', { idField: 'sheetId' }),
      lives: () => new Map()
    },
    start: async (deps) => { held = await deps.shared('held', async () => new Map(), async () => undefined) },
    executions: { sheet: (deps) => ({
      ${fields}
      held: () => held,
      listOrphaned: deps.sheets.listOrphaned,
      listCancelled: deps.sheets.listCancelled,
      stop(id) { const live = held.get(id); live?.stop.abort(); return live !== undefined },
      woken(id) { held.get(id)?.woken.abort() },
      async release(id) {
        const live = held.get(id)
        held.delete(id)
        await live.writer.release()
        await deps.sheets.release(live.row, 'queued')
        deps.executions.released('sheet')
      },
      step: (id, handOver) => step(deps, id, handOver)
    }) },
    resume: async (deps) => opened.publish(deps)`,
    `import { channel } from 'node:diagnostics_channel'
    import { executionTable } from 'agent-platform'
    const begun = channel('press.begun')
    const opened = channel('press.opened')
    let held
    async function step({ sheets, instances, knex }, id, handOver) {
      let live = held.get(id)
      if (!live) {
        const claimed = await sheets.claim(id)
        if (!claimed) return 'done'
        live = { ...claimed, stop: new AbortController(), woken: new AbortController() }
        held.set(id, live)
      }
      const { row, writer, exhausted, stop } = live
      const { attempt, project } = row
      const outcome = await new Promise((end) => begun.publish({
        id, attempt, exhausted, version: '${version}', instance: instances.id(), handOver, stop: stop.signal, end
      }))
      if (outcome === 'again') {
        writer.append('printed', { attempt, by: '${version}' })
        await sheets.settle(row)
        return 'again'
      }
      if (outcome === 'waiting') {
        await writer.flushed()
        if (!(await sheets.release(row, 'waiting'))) {
          row.wakes = await sheets.wakes(project, id)
          return 'again'
        }
        await writer.release()
        held.delete(id)
        return 'done'
      }
      await writer.commit([{ type: outcome, fields: {} }], (chunk) => knex.transaction(async (trx) => {
        await chunk.insert(trx)
        await trx('press.sheet').where({ id }).update({ status: outcome, instance: null, endedAt: trx.fn.now() })
        return true
      }), { ended: true })
      held.delete(id)
      return 'done'
    }`
  )
})

/** A platform with the press, and what is heard of it; `beside` is another instance of the same. */
export async function printShop(t: Scope, text = press()) {
  const { folder, write } = await workshop(t)
  await write('press', text)
  const begun = hear<Begun>(t, 'press.begun')
  const opened = hear<Opened>(t, 'press.opened')
  const open = (more: BootOptions = {}): Promise<Booted> =>
    boot(t, { folders: [folder], packs: ['access', 'packs', 'press'], ...more })
  const home = await open()
  const { sheets, executions, transaction, streams } = await opened.next()
  const { knex } = home.platform

  /** A sheet that can go on, or as given, known to the record alone. */
  async function insert(changes: object = {}): Promise<string> {
    const id = newId('sheet')
    const writer = streams.open('default', id, 'sheetId')
    await writer.commit([{ type: 'status', fields: { status: 'queued' } }], (chunk) =>
      transaction(async (trx) => {
        await chunk.insert(trx)
        await trx('press.sheet').insert({
          project: 'default',
          id,
          owner: 'ada',
          status: 'queued',
          ...changes
        })
        return true
      })
    )
    await writer.release()
    return id
  }
  const rowOf = (id: string): Promise<ExecutionRow> => knex('press.sheet').where({ id }).first()
  /** The row once it is so. */
  async function until(id: string, is: (row: ExecutionRow) => boolean): Promise<ExecutionRow> {
    for (;;) {
      const row = await rowOf(id)
      if (is(row)) return row
      await delay(20)
    }
  }
  /** Its events so far, by type and status. */
  async function eventsOf(id: string): Promise<string[]> {
    const bodies: { body: string }[] = await knex('kernel.stream_chunk')
      .where({ stream: id })
      .orderBy('seq')
      .select('body')
    return bodies
      .flatMap(({ body }) => body.split('\n'))
      .map((line) => JSON.parse(line))
      .map(({ type, status }) => status ?? type)
  }
  return {
    home,
    open,
    write,
    folder,
    begun,
    opened,
    sheets,
    executions,
    transaction,
    insert,
    until,
    eventsOf
  }
}
