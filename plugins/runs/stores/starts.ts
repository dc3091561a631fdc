import type { Chunk, Fragment, Kernel, Recorded } from 'agent-platform'
import { createBatch, single } from 'agent-platform'
import type { Agents } from '../../agents/contract.ts'
import type { Appended, Begun, Extended, Sessions } from '../../sessions/contract.ts'
import type { AskedMessage } from '../start/asked.ts'
import type { RunRow } from './row.ts'
import type { Reserved } from './start-reservations.ts'
import { partsOfReservations } from './start-reservations.ts'

export type StartStore = ReturnType<typeof createStartStore>

/** A run that is accepted, with all that one statement makes true. */
export interface Start {
  readonly run: RunRow
  readonly messages: readonly AskedMessage[]
  /** The beginning of the last of them, by which lists name the run. */
  readonly asked: string
  /** Its session, when it begins with the run. */
  readonly begins: Begun | undefined
  readonly extends: Extended | undefined
  readonly appended: readonly Appended[]
  /** Other runs that its session may have. */
  readonly most: number
  readonly requestKey: string | null
  readonly requestDigest: string | null
  readonly reserved: readonly Reserved[]
  readonly chunk: Chunk
  readonly facts: readonly Recorded[]
}

export interface Started {
  readonly id: string
  readonly status: 'running' | 'queued'
  readonly position: number
  /** Of the agent as it was then. */
  readonly stamp: string
}

type Made = Pick<RunRow, 'project' | 'id' | 'owner' | 'sessionId' | 'agentId'>

const columns = [
  ['project', 'text'],
  ['id', 'text'],
  ['owner', 'text'],
  ['sessionId', 'text'],
  ['agentId', 'text'],
  ['instance', 'int'],
  ['actor', 'jsonb'],
  ['request', 'jsonb'],
  ['messages', 'jsonb'],
  ['requestKey', 'text'],
  ['requestDigest', 'text'],
  ['createdAt', 'timestamptz'],
  ['begins', 'boolean'],
  ['most', 'int'],
  ['asked', 'text']
] as const
const recordset = columns.map(([name, type]) => `"${name}" ${type}`).join(', ')

// A session whose row the same statement takes positions from is locked; the index on active runs refuses the
// second of two that did not see each other.
const insertText = (
  unless: string
) => `insert into runs.run (project, id, owner, "sessionId", "agentId", status, instance, place, actor,
    request, messages, "requestKey", "requestDigest", "createdAt", asked)
  select c.project, c.id, c.owner, c."sessionId", c."agentId", case when c.others > 0 then 'queued' else 'running' end,
    case when c.others > 0 then null else c.instance end, coalesce(x.position, 0), c.actor, c.request,
    case when c.others > 0 then c.messages end, c."requestKey", c."requestDigest", c."createdAt", c.asked
  from (select c.*, case when c.begins then 0 else (select count(*) from runs.run o where o.project = c.project
      and o."sessionId" = c."sessionId" and o."endedAt" is null) end as others
    from jsonb_to_recordset($1::jsonb) as c(${recordset}) offset 0) c
  left join extended x on x.session = c."sessionId"
  where (c.begins or x.session is not null) and c.others <= c.most
    and exists (select from agent a where a.agent = c."agentId")${unless}
  on conflict do nothing
  returning project, id, "sessionId" as session, "agentId", status, place`
// One alone, as most are while there is little to do: taking a document apart is half of the other statement.
const insertOneText = (
  unless: string
) => `insert into runs.run (project, id, owner, "sessionId", "agentId", status, instance, place, actor,
    request, messages, "requestKey", "requestDigest", "createdAt", asked)
  select $1, $2, $3, $4, $5, case when c.others > 0 then 'queued' else 'running' end,
    case when c.others > 0 then null else $6::int end, coalesce(x.position, 0), $7::jsonb, $8::jsonb,
    case when c.others > 0 then $9::jsonb end, $10, $11, $12::timestamptz, $15
  from (select case when $13::boolean then 0 else (select count(*) from runs.run o where o.project = $1
      and o."sessionId" = $4 and o."endedAt" is null) end as others offset 0) c
  left join extended x on x.session = $4
  where ($13::boolean or x.session is not null) and c.others <= $14::int
    and exists (select from agent a where a.agent = $5)${unless}
  on conflict do nothing
  returning project, id, "sessionId" as session, "agentId", status, place`
// Made once, so that a statement composed of them is recognised as the one that was prepared.
const insertTexts = {
  open: { many: insertText(''), one: insertOneText('') },
  gated: {
    many: insertText(' and not exists (select from refused f where f.id = c.id)'),
    one: insertOneText(' and not exists (select from refused f where f.id = $2)')
  }
}
const placed: Fragment = {
  text: `select session, place as position from run where status = 'running'`,
  values: []
}
/** In place of an update of sessions, where none is continued. */
const none: Fragment = { text: 'select null::text as session, null::int as position where false', values: [] }
const known: Fragment = { text: 'select id from run union all select session from begun', values: [] }
const madeText = `select project, id, owner, "sessionId", "agentId" from runs.run where id = any($1::text[])`
const rest = `select r.id, r.status, r.place as position, a.stamp from run r join agent a on a.agent = r."agentId"`

interface Deps extends Pick<Kernel, 'hot' | 'streams' | 'facts'> {
  agents: Agents
  sessions: Sessions
}

/** Begins runs: session, messages, run, first event and facts in one statement, batched while others wait. */
export function createStartStore({ hot, streams, facts, agents, sessions }: Deps) {
  async function insertAll(starts: readonly Start[]): Promise<readonly (Started | undefined)[]> {
    const recorded = starts.flatMap((start) => start.facts)
    const extended = starts.flatMap((start) => start.extends ?? [])
    const reserved = starts.flatMap((start) => start.reserved)
    const { ahead, behind } = partsOfReservations(reserved)
    const rows = await hot.together<Started>(
      reserved.length > 0 ? 'runs.start.gated' : 'runs.start',
      {
        agent: agents.stamps(starts.map(({ run }) => run)),
        ...ahead,
        extended: extended.length > 0 ? sessions.fragments.extend(extended) : none,
        run: runsOf(starts.map(rowOf), reserved.length > 0 ? insertTexts.gated : insertTexts.open),
        begun: sessions.fragments.begin(
          starts.flatMap((start) => start.begins ?? []),
          'run'
        ),
        placed,
        message: sessions.fragments.append(
          starts.flatMap(({ appended }) => appended),
          'placed'
        ),
        chunk: streams.fragment(
          starts.map(({ chunk }) => chunk),
          'run'
        ),
        known,
        fact: facts.rows(recorded, 'known'),
        ...behind
      },
      rest
    )
    facts.recorded(recorded)
    const byId = new Map(rows.map((row) => [row.id, row]))
    return starts.map(({ run }) => byId.get(run.id))
  }

  /** Undefined when nothing was made: its agent or session is gone, it may not wait, what a gate would
   *  reserve is not there, or another was faster. */
  const insert = createBatch(insertAll, { lane: ({ run }) => run.sessionId })

  /** Those that are there, by id alone, across projects: in one statement for all that ask at once. */
  const find = createBatch(async (ids: readonly string[]) => {
    const runs = await hot.query<Made>('runs.made', madeText, [ids])
    const byId = new Map(runs.map((run) => [run.id, run]))
    return ids.map((id) => byId.get(id))
  })
  return { insert, find }
}

function runsOf(rows: readonly ReturnType<typeof rowOf>[], texts: (typeof insertTexts)['open']): Fragment {
  const one = single(rows)
  if (!one) return { text: texts.many, values: [JSON.stringify(rows)] }
  return {
    text: texts.one,
    values: columns.map(([name, type]) =>
      type === 'jsonb' && one[name] !== null ? JSON.stringify(one[name]) : one[name]
    )
  }
}

function rowOf({ run, messages, asked, begins, most, requestKey, requestDigest }: Start) {
  const { project, id, owner, sessionId, agentId, instance, actor, request, createdAt } = run
  // The first run of a session never waits.
  const waiting = begins ? null : messages
  const identity = { project, id, owner, sessionId, agentId, instance, actor, request, createdAt }
  return {
    ...identity,
    requestKey,
    requestDigest,
    begins: begins !== undefined,
    most,
    messages: waiting,
    asked
  }
}
