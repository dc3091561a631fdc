import type { Kernel } from 'agent-platform'
import type { History } from '../contract.ts'
import type { WordsRow } from './words.ts'
import { wordsOf } from './words.ts'

const columns = `role, content, "toolCalls", "callId", "toolName", "isError", untrusted, attachments, reply, position,
    summarizes`
/** Messages of the system that a summary does not replace: instructions. */
const PINNED = 50
// Backwards from `before` to the latest summary, no more than `messages` rows; contents of those that do not fit are never read.
const recentText = `with summary as materialized (
    select ${columns} from sessions.message
    where project = $1 and "sessionId" = $2 and role = 'system' and summarizes is not null
    order by position desc limit 1)
  select ${columns}
  from (select m.*, sum(weight) over (order by position desc rows unbounded preceding) as total
    from (select ${columns}, weight from sessions.message
      where project = $1 and "sessionId" = $2 and position < $3::int
        and position > coalesce((select summarizes from summary), -1) and summarizes is null
      order by position desc limit $4::int) m) w
  where total <= $5::int or total = weight
  union all select ${columns} from summary
  union all (select ${columns} from sessions.message
    where project = $1 and "sessionId" = $2 and position <= (select summarizes from summary) and role = 'system'
      and summarizes is null
    order by position desc limit ${PINNED})
  order by position`

interface Row extends WordsRow {
  readonly position: number
}

interface Limit {
  readonly before?: number
  readonly characters: number
  readonly messages: number
}

const LAST = 2 ** 31 - 1
const whole = (count: number) => Math.min(Math.max(Math.floor(count), 0), LAST)

/** What was said last, as far as a model has room for it. */
export function createHistoryStore({ hot }: Pick<Kernel, 'hot'>) {
  return {
    async listRecent(project: string, sessionId: string, limit: Limit): Promise<History> {
      const { before = LAST } = limit
      const [characters, messages] = [whole(limit.characters), whole(limit.messages)]
      const values = [project, sessionId, before, Math.max(messages, 1), characters]
      const rows = await hot.query<Row>('sessions.recent', recentText, values)
      const summary = rows.find(({ summarizes }) => summarizes !== null)
      const said = rows.filter((row) => row !== summary)
      const first = (summary?.summarizes ?? -1) + 1
      const told = summary && { summary: { content: summary.content, untrusted: summary.untrusted } }
      if (characters === 0 || messages === 0)
        return {
          messages: [],
          positions: [],
          left: (said.at(-1)?.position ?? first - 1) + 1 - first,
          ...told
        }
      return {
        messages: said.map(wordsOf),
        positions: said.map(({ position }) => position),
        left: Math.max((said.find(({ position }) => position >= first)?.position ?? first) - first, 0),
        ...told
      }
    }
  }
}
