import type { Fragment } from 'agent-platform'
import { single, textGiven } from 'agent-platform'
import type { Appended, Begun, Extended } from '../contract.ts'

// The rows of the query that is given are looked up as keys of an object: a join of the two would compare each
// with each, since hash joins are off.
const among = (given: string, id: string) =>
  `(select jsonb_object_agg(g.session, true) from ${given} g) -> ${id} is not null`

const beginOneText = textGiven(
  (given: string) => `insert into sessions.session
    (project, id, owner, "agentId", initiator, title, "nextPosition")
  select $1::text, $2::text, $3::text, $4::text, $5::text, $6::text, $7::int
    where exists (select from ${given} g where g.session = $2)
  returning project, id as session, 0 as position`
)

const beginText = textGiven(
  (given: string) => `insert into sessions.session
    (project, id, owner, "agentId", initiator, title, "nextPosition")
  select c.project, c.id, c.owner, c."agentId", c.initiator, c.title, c.count
    from jsonb_to_recordset($1::jsonb)
      as c(project text, id text, owner text, "agentId" text, initiator text, title text, count int)
    where ${among(given, 'c.id')}
  returning project, id as session, 0 as position`
)

// By the index on `id` and nothing else (see the migration), and without a join: whatever the planner believes of the
// table, it reads the rows it is asked for and no others. They are locked in the order of their ids before any of them
// changes, or two statements that share sessions could wait for each other.
const extendText = textGiven(
  (given: string | undefined) => `update sessions.session t
    set "nextPosition" = t."nextPosition" + ($2::jsonb -> t.id -> 'count')::int, "updatedAt" = now()
    where t.id collate "C" = any (array(select s.id from sessions.session s
      where s.id collate "C" = any ($1::text[]) and $2::jsonb -> s.id ->> 'project' = s.project
        ${given === undefined ? '' : `and ${among(given, 's.id')}`}
      order by s.id collate "C" for no key update of s))
  returning t.project, t.id as session, t."nextPosition" - ($2::jsonb -> t.id -> 'count')::int as position`
)

const extendOneText = textGiven(
  (given: string | undefined) => `update sessions.session t
    set "nextPosition" = t."nextPosition" + $3::int, "updatedAt" = now()
    where t.id collate "C" = $2::text and t.project || '' = $1::text
      ${given === undefined ? '' : `and exists (select from ${given} g where g.session = $2)`}
  returning t.project, t.id as session, t."nextPosition" - $3::int as position`
)

const appendOneText = textGiven(
  (given: string) => `insert into sessions.message
    (project, "sessionId", position, "messageId", owner, "runId", role, content)
  select $1::text, $2::text, g.position + $3::int, $4::text, $5::text, $6::text, $7::text, $8::text
    from ${given} g where g.session = $2
  returning project, "sessionId" as session, position`
)

const appendText = textGiven(
  (given: string) => `insert into sessions.message
    (project, "sessionId", position, "messageId", owner, "runId", role, content, "toolCalls", "callId", "toolName",
      "isError", untrusted, attachments, reply)
  select c.project, c."sessionId", (g.positions -> c."sessionId")::int + c."offset", c.id, c.owner, c."runId",
      c.role, c.content, c."toolCalls", c."callId", c."toolName", c."isError", coalesce(c.untrusted, false),
      c.attachments, c.reply
    from jsonb_to_recordset($1::jsonb) as c(project text, "sessionId" text, "offset" int, id text, owner text,
      "runId" text, role text, content text, "toolCalls" jsonb, "callId" text, "toolName" text, "isError" boolean,
      untrusted boolean, attachments jsonb, reply jsonb)
    cross join (select jsonb_object_agg(session, position) as positions from ${given}) g
    where g.positions -> c."sessionId" is not null
  returning project, "sessionId" as session, position`
)

// A range of the primary key, by arrays: a join would compare each with each.
const takeBackText = textGiven(
  (given: string) => `delete from sessions.message m
    where m.project = any (array(select g.project from ${given} g))
      and m."sessionId" = any (array(select g.session from ${given} g))
      and m."runId" = any (array(select g.run from ${given} g))`
)

// Many rows come as one document: an array a column costs twice as much to write and to read.

/** What the statement for a single message does not write. */
const extras = ['callId', 'toolCalls', 'untrusted', 'attachments', 'reply']

/** Parts of statements that other packs compose; they touch nothing but sessions and their messages. */
export function createFragmentStore() {
  return {
    insertSessions(sessions: readonly Begun[], given: string): Fragment {
      const one = single(sessions)
      if (!one) return { text: beginText(given), values: [JSON.stringify(sessions)] }
      const { project, id, owner, agentId, initiator, title, count } = one
      return { text: beginOneText(given), values: [project, id, owner, agentId, initiator, title, count] }
    },

    takePositions(sessions: readonly Extended[], given?: string): Fragment {
      const one = single(sessions)
      if (one) return { text: extendOneText(given), values: [one.project, one.id, one.count] }
      const wanted = Object.fromEntries(sessions.map(({ id, ...wanted }) => [id, wanted]))
      return { text: extendText(given), values: [sessions.map(({ id }) => id), JSON.stringify(wanted)] }
    },

    insertMessages(messages: readonly Appended[], given: string): Fragment {
      const one = single(messages)
      if (!one || extras.some((name) => name in one))
        return { text: appendText(given), values: [JSON.stringify(messages.map(clean))] }
      const { project, sessionId, offset, id, owner, runId, role, content } = clean(one)
      const values = [project, sessionId, offset, id, owner, runId, role, content]
      return { text: appendOneText(given), values }
    },

    removeMessages: (given: string): Fragment => ({ text: takeBackText(given), values: [] })
  }
}

/** PostgreSQL has no text with NUL in it. */
const clean = (message: Appended): Appended =>
  message.content.includes('\0')
    ? { ...message, content: message.content.replaceAll('\0', '\ufffd') }
    : message
