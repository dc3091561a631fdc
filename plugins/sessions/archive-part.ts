import type { Kernel } from 'agent-platform'
import { Closed, invalid, Name, newId, notFound, OrNull, Time } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import type { Agents } from '../agents/contract.ts'
import type { ArchivePart, Importing } from '../archives/contract.ts'
import type { ArchiveStore, Arrived } from './stores/archives.ts'
import type { MessageStore } from './stores/messages.ts'

interface Deps extends Pick<Kernel, 'transaction' | 'facts'> {
  agents: Agents
  archiveStore: ArchiveStore
  messageStore: MessageStore
}

const Session = Closed({ id: Type.String({ maxLength: 100 }), title: OrNull(Name()), createdAt: Time })
const said = { content: Type.String(), createdAt: Time }
const Said = Closed({
  ...said,
  role: Type.Enum(['user', 'system']),
  untrusted: Type.Optional(Type.Boolean())
})
const Answered = Closed({
  ...said,
  role: Type.Literal('assistant'),
  toolCalls: Type.Array(
    Closed({
      callId: Type.String({ maxLength: 300 }),
      toolName: Type.String({ maxLength: 300 }),
      args: Type.Unknown()
    }),
    { maxItems: 1_000 }
  )
})
const Returned = Closed({
  ...said,
  role: Type.Literal('tool'),
  callId: Type.String({ maxLength: 300 }),
  toolName: Type.String({ maxLength: 300 }),
  isError: Type.Boolean()
})
const BATCH = 100

/** Conversations of the agent's owner, and what was said in them; those of others are theirs. */
export function sessionPart({ transaction, facts, agents, archiveStore, messageStore }: Deps): ArchivePart {
  async function begin({ by, agentId, map }: Importing, session: Static<typeof Session>) {
    const { project, owner, initiator = by.id } = by
    const { title, createdAt } = session
    const row = { id: newId('session'), project, owner, agentId, initiator, title, createdAt }
    await transaction(async (trx) => {
      if (!(await agents.takeShare(trx, project, [agentId]))) throw notFound('Agent')
      const { id } = row
      const times = await archiveStore.insert(trx, row)
      const data = { id, agentId, owner, initiator, ...times }
      await facts.record(trx, 'sessions.created', by, { subject: id, owner, data })
    })
    map(session.id, row.id)
    return row
  }

  return {
    version: 1,
    what: 'conversations and their messages, without attachments',
    optional: true,
    records: { session: Session, said: Said, answered: Answered, returned: Returned },

    async *export({ agent }) {
      for (let after = ''; ; ) {
        const some = await archiveStore.listOfAgent(agent, agent.id, after)
        for (const { id, title, createdAt } of some) {
          yield { kind: 'session', data: { id, title, createdAt } }
          // A summary is made again where its session goes on.
          for await (const messages of messageStore.listPages(agent.project, id))
            for (const message of messages) if (!('isSummary' in message)) yield recordOf(message as Arrived)
        }
        const last = some.at(-1)
        if (!last) return
        after = last.id
      }
    },

    async import(into, records) {
      let session: Awaited<ReturnType<typeof begin>> | undefined
      let messages: Arrived[] = []
      const write = async () => {
        const [of, some] = [session, messages]
        messages = []
        if (of && some.length > 0) await transaction((trx) => archiveStore.insertMessages(trx, of, some))
      }
      for await (const { kind, data } of records) {
        if (kind === 'session') {
          await write()
          session = await begin(into, data as Static<typeof Session>)
          continue
        }
        if (!session)
          throw invalid('/fileId', 'The archive has a message without a session', 'archive_invalid')
        const message = data as Arrived
        const isMarked = message.role === 'user' && !into.isTrusted
        messages.push(isMarked ? { ...message, untrusted: true } : message)
        if (messages.length === BATCH) await write()
      }
      await write()
    }
  }
}

function recordOf(message: Arrived) {
  const { role, content, createdAt } = message
  const said = { role, content, createdAt }
  if (role === 'assistant') return { kind: 'answered', data: { ...said, toolCalls: message.toolCalls ?? [] } }
  if (role === 'tool') {
    const { callId, toolName, isError } = message
    return { kind: 'returned', data: { ...said, callId, toolName, isError } }
  }
  const isMarked = role === 'user' && message.untrusted === true
  return { kind: 'said', data: { ...said, ...(isMarked && { untrusted: true }) } }
}
