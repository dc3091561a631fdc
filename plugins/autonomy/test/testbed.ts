import type { Booted, BootOptions } from '../../../test/boot.ts'
import { boot } from '../../../test/boot.ts'
import type { Client } from '../../../test/client.ts'
import { until } from '../../../test/packs/stage.ts'

interface Scope {
  teardown(work: () => unknown): unknown
}

/** Jobs are looked for ten times a second; what comes of a beat is awaited, never the clock. */
const quick = { pollSeconds: 0.1, cronSeconds: 1, lostAfterSeconds: 3, drainSeconds: 1 }
const on = ['access', 'packs', 'agents', 'outgoing', 'models', 'sessions', 'runs', 'autonomy']

/** A platform whose agents beat. */
export function beatingPlatform(t: Scope, options: BootOptions = {}): Promise<Booted> {
  const packs = Object.fromEntries(on.map((name) => [name, { enabled: true }]))
  return boot(t, {
    packs: [...on, 'jobs'],
    deployment: { enabled: false, packs: { ...packs, jobs: { enabled: true, settings: quick } } },
    ...options
  })
}

export const LOCAL = { modelProvider: 'local' }
export const SILENT = '/say HEARTBEAT_OK'

export interface Beat {
  readonly id: string
  readonly status: string
  readonly reason: string | null
  readonly runId: string | null
  readonly sessionId: string | null
  readonly dueAt: string | null
  readonly silent: boolean | null
  readonly tokens: number | null
  readonly error: { readonly code: string } | null
}

/** A time zone where it is about noon, so that no day ends while a test counts its beats. */
function midday(): string {
  const offset = 12 - new Date().getUTCHours()
  return `Etc/GMT${offset > 0 ? '-' : '+'}${Math.abs(offset)}`
}

/** An agent with a heartbeat, and what is asked of it. */
export async function beating({ platform: { knex } }: Booted, owner: Client, settings: object = {}) {
  const { id } = await owner.agent(LOCAL)
  const path = `/v1/agents/${id}/autonomy`
  const read = async () => (await owner.get(path)).body.data
  const beats = async (query = ''): Promise<Beat[]> => (await owner.get(`${path}/beats?${query}`)).body.data
  const put = (changes: object, headers?: Record<string, string>) => owner.put(path, changes, headers)
  const { status } = await put({ enabled: true, prompt: SILENT, timezone: midday(), ...settings })
  if (status !== 200) throw new Error(`No heartbeat: ${status}`)
  return {
    id,
    path,
    read,
    put,
    beats,
    fire: () => owner.post(`${path}/trigger`),
    /** The next beat is due, as if the time had come, or had come that long ago. */
    async come(ago = '0 seconds'): Promise<string> {
      const [row] = await knex('jobs.schedule')
        .where({ id })
        .update({ nextAt: knex.raw(`now() - ?::interval`, [ago]) })
        .returning('nextAt')
      return new Date(row.nextAt).toISOString()
    },
    /** The newest beats, once there are so many that are over. */
    over: (count: number): Promise<Beat[]> =>
      until(
        () => beats('limit=100'),
        (all) => all.filter(({ status }) => !['starting', 'running'].includes(status)).length >= count
      )
  }
}

/** What was said in a session, the oldest first. */
export const messagesOf = async (
  client: Client,
  sessionId: string | null | undefined
): Promise<{ role: string; content: string; runId: string }[]> =>
  (await client.get(`/v1/sessions/${sessionId}/full`)).body.data.messages
