import type { Kernel, Trx } from 'agent-platform'
import type { Booted, BootOptions } from '../../../test/boot.ts'
import { boot } from '../../../test/boot.ts'
import { packText } from '../../../test/pack-folders.ts'
import { hear, until, workshop } from '../../../test/packs/stage.ts'
import type { Jobs, Wait } from '../contract.ts'

export interface Scope {
  teardown(work: () => unknown): unknown
}

/** A job that a worker of the mill has begun: it is over when the test says so. */
export interface Begun {
  readonly data: { readonly n?: number }
  readonly signal: AbortSignal
  readonly version: string
  readonly instance: number
  done(): void
  fail(error: Error): void
}

/** A waiter of the mill that was told of a deadline. */
export interface Told {
  readonly wait: Wait
  readonly instance: number
  done(): void
  fail(error: Error): void
}

/** What the mill has of the platform, in each generation. */
export interface Opened {
  readonly jobs: Jobs
  readonly transaction: <T>(work: (trx: Trx) => Promise<T>) => Promise<T>
  readonly instances: Kernel['instances']
}

/** Quick enough for tests; what is slower by default is only slower. */
export const quick = { pollSeconds: 0.1, cronSeconds: 1, lostAfterSeconds: 3, drainSeconds: 1 }

/** A pack that grinds what `mill.grind` brings, with further fields of that worker and lines of the manifest. */
export const mill = (version = 'first', worker = '', fields = '') => ({
  'pack.ts': packText(
    'mill',
    `requires: ['jobs'],
    contributes: {
      'jobs.worker': [
        { key: 'mill.grind', make: ({ instances }) => ({ ${worker} work: publish(begun, instances, 'data') }) }
      ],
      'jobs.waiter': [
        { key: 'mill', make: ({ instances }) => ({ expired: publish(told, instances, 'wait') }) }
      ]
    },
    resume: async ({ jobs, transaction, instances }) => opened.publish({ jobs, transaction, instances }),
    ${fields}`,
    `import { channel } from 'node:diagnostics_channel'
    const begun = channel('mill.begun')
    const told = channel('mill.told')
    const opened = channel('mill.opened')
    const publish = (on, instances, name) => (it, signal) =>
      new Promise((done, fail) =>
        on.publish({ [name]: it, signal, version: '${version}', instance: instances.id(), done, fail }))`
  )
})

/** A platform with the mill, and what is heard of it; `beside` is another instance of the same. */
export async function millTown(t: Scope, text = mill(), settings: object = {}, options: BootOptions = {}) {
  const { folder, write } = await workshop(t)
  await write('mill', text)
  const begun = hear<Begun>(t, 'mill.begun')
  const told = hear<Told>(t, 'mill.told')
  const opened = hear<Opened>(t, 'mill.opened')
  const open = (more: BootOptions = {}): Promise<Booted> =>
    boot(t, {
      folders: [folder],
      packs: [],
      deployment: {
        packs: {
          access: { enabled: true },
          packs: { enabled: true },
          jobs: { enabled: true, settings: { ...quick, ...settings } },
          mill: { enabled: true }
        }
      },
      ...options,
      ...more
    })
  const home = await open()
  const { jobs, transaction } = await opened.next()
  return { home, open, folder, write, begun, told, opened, jobs, transaction }
}

/** How the jobs of a queue stand, by state. */
export async function statesOf({ platform: { knex } }: Booted, queue = 'mill.grind') {
  const rows: { state: string; n: number }[] = await knex('pgboss.job')
    .where({ name: queue })
    .groupBy('state')
    .select('state')
    .count({ n: knex.raw('*') })
  return Object.fromEntries(rows.map(({ state, n }) => [state, Number(n)]))
}

/** Resolves when no job of a queue runs. */
export const idleOf = (booted: Booted, queue?: string) =>
  until(
    () => statesOf(booted, queue),
    ({ active }) => !active
  )
