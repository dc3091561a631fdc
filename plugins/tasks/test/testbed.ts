import type { Booted, BootOptions } from '../../../test/boot.ts'
import { boot } from '../../../test/boot.ts'
import type { Client, Reply } from '../../../test/client.ts'
import { until } from '../../../test/packs/stage.ts'

/** The built-in model, which does what it is told. */
export const local = { modelProvider: 'local' }

interface Scope {
  teardown(work: () => unknown): unknown
}

const packs = ['access', 'packs', 'agents', 'outgoing', 'models', 'sessions', 'runs', 'tasks']
/** What is slower by default is only slower. */
const quick = { pollSeconds: 0.1, lostAfterSeconds: 3, drainSeconds: 1 }

/** A platform with tasks, or without them, which looks often for what is due. */
export const town = (
  t: Scope,
  options: BootOptions = {},
  more: readonly string[] = [],
  off?: 'tasks'
): Promise<Booted> =>
  boot(t, {
    packs: [],
    ...options,
    deployment: {
      packs: {
        ...Object.fromEntries([...packs, ...more].map((name) => [name, { enabled: name !== off }])),
        jobs: { enabled: true, settings: quick }
      }
    }
  })

/** Makes a task; 201. */
export async function makeTask(client: Client, fields: object) {
  const { status, body } = await client.post('/v1/tasks', { title: '/say Done', ...fields })
  if (status !== 201) throw new Error(`${status}: ${JSON.stringify(body)}`)
  return body.data
}

/** The newest run of a task, once it is so. */
export const runOnce = (client: Client, id: string, is: (run: Reply['body']['data']) => boolean) =>
  until(
    async () => (await client.get(`/v1/tasks/${id}/runs`)).body.data[0],
    (run) => run !== undefined && is(run)
  )

export const taskOnce = (client: Client, id: string, is: (task: Reply['body']['data']) => boolean) =>
  until(async () => (await client.get(`/v1/tasks/${id}`)).body.data, is)

export const isEnded = ({ endedAt }: { endedAt: string | null }) => endedAt !== null

/** The whole stream of a run of a task; ends with the run. */
export async function streamOf(client: Client, id: string, query = '') {
  const { status, text, body } = await client.get(`/v1/tasks/${id}/stream${query}`)
  const events = text
    .split('\n\n')
    .filter((frame) => frame.includes('data: '))
    .map((frame) => JSON.parse(frame.slice(frame.indexOf('data: ') + 6)))
  return { status, body, events: events.filter(({ type }) => type !== 'keepalive') }
}

/** As if that much time had passed for what is scheduled. */
export async function makeDue({ platform: { knex } }: Booted, id: string, ago = '1 minute') {
  const at = knex.raw(`date_trunc('second', now()) - ?::interval`, [ago])
  await knex.transaction(async (trx) => {
    await trx('tasks.task').where({ id }).update({ nextRunAt: at })
    await trx('jobs.schedule').where({ id }).update({ nextAt: at })
  })
}
