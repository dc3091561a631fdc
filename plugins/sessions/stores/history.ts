import type { Kernel } from 'agent-platform'
import type { History } from '../contract.ts'
import type { WordsRow } from './words.ts'
import { wordsOf } from './words.ts'

// Backwards from `before`, no more than `messages` rows; contents of those that do not fit are never read.
const recentText = `select role, position, content, "toolCalls", "callId", "toolName", "isError", untrusted,
    attachments, reply
  from (select m.*, sum(weight) over (order by position desc rows unbounded preceding) as total
    from (select role, content, "toolCalls", "callId", "toolName", "isError", untrusted, attachments, reply, position,
        weight from sessions.message
      where project = $1 and "sessionId" = $2 and position < $3::int
      order by position desc limit $4::int) m) w
  where total <= $5::int or total = weight
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
      if (characters === 0 || messages === 0) return { messages: [], left: (rows.at(-1)?.position ?? -1) + 1 }
      return {
        messages: rows.map(wordsOf),
        left: rows[0]?.position ?? 0
      }
    }
  }
}
