import type { Hot } from 'agent-platform'
import { newId } from 'agent-platform'
import type { Booted } from '../../../test/boot.ts'
import type { Client } from '../../../test/client.ts'
import type { Appended, Begun } from '../contract.ts'
import { createFragmentStore } from '../stores/fragments.ts'

export const fragments = createFragmentStore()

/** A new session of that client, with a new agent unless one is named. */
export async function sessionOf(client: Client, fields: { agentId?: string; [field: string]: unknown } = {}) {
  const { agentId = (await client.agent()).id, ...others } = fields
  const { status, body } = await client.post('/v1/sessions', { agentId, ...others })
  if (status !== 201) throw new Error(`No session: ${status} ${JSON.stringify(body)}`)
  return body.data
}

/** A message as a run appends it. */
export const message = (
  sessionId: string,
  fields:
    | Partial<Extract<Appended, { role: 'assistant' }>>
    | Partial<Extract<Appended, { role: 'user' | 'system' }>> = {}
): Appended => ({
  project: 'default',
  owner: 'ada',
  id: newId('message'),
  sessionId,
  runId: null,
  role: 'user',
  content: 'Hello',
  offset: 0,
  ...fields
})

export const begun = (id: string, fields: Partial<Begun> = {}): Begun => ({
  project: 'default',
  owner: 'ada',
  id,
  agentId: newId('agent'),
  initiator: 'ada',
  title: null,
  count: 1,
  ...fields
})

/** Appends messages to a session that exists, in one statement. */
export async function say(hot: Hot, sessionId: string, contents: readonly string[], runId?: string) {
  const appended = contents.map((content, offset) =>
    message(sessionId, { content, offset, ...(runId !== undefined && { runId }) })
  )
  const [row] = await hot.together<{ position: number }>(
    'test.say',
    {
      extended: fragments.takePositions([{ project: 'default', id: sessionId, count: contents.length }]),
      message: fragments.insertMessages(appended, 'extended')
    },
    'select position from extended'
  )
  return row?.position
}

/** Many messages at once, whatever the session says. */
export const fill = ({ platform }: Pick<Booted, 'platform'>, sessionId: string, count: number, length = 20) =>
  platform.knex.raw(
    `with filled as (insert into sessions.message (project, owner, "sessionId", position, "messageId", role, content)
      select 'default', 'ada', ?, n, 'message_' || n, 'user', rpad(n || ' ', ?::int, 'x')
        from generate_series(0, ?::int - 1) n returning position)
     update sessions.session set "nextPosition" = ?::int where id = ?`,
    [sessionId, length, count, count, sessionId]
  )

/** Resolves when so many statements wait for a lock. */
export async function waiting({ platform }: Pick<Booted, 'platform'>, count: number): Promise<void> {
  for (;;) {
    const { rows } = await platform.knex.raw(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    )
    if (rows.length >= count) return
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
