import { Closed, OrNull, Page, Paging, Time } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import type { Capability } from '../ui-plugins/contract.ts'
import { readSession } from './schemas.ts'
import type { SessionService } from './service.ts'

interface Deps {
  sessionService: SessionService
}

const Session = Type.Pick(readSession.response[200].properties.data, [
  'id',
  'agentId',
  'title',
  'createdAt',
  'updatedAt'
])
const ListParams = Closed({ agentId: Type.String({ maxLength: 128 }), ...Paging })
const ReadParams = Closed({ sessionId: Type.String({ maxLength: 128 }), ...Paging })
const Message = Type.Object({
  id: Type.String(),
  runId: OrNull(Type.String()),
  role: Type.Enum(['user', 'assistant', 'system']),
  content: Type.String(),
  createdAt: Time
})

export const listCapability = ({ sessionService }: Deps): Capability<Static<typeof ListParams>> => ({
  title: 'List conversations',
  description: 'The conversations with an agent, newest first, in pages, without what was said',
  risk: 'medium',
  reaches: 'Reads which conversations there are with your agents, and their titles',
  narrows: { to: 'agents', at: '/agentId' },
  params: ListParams,
  result: Page(Session),
  idempotent: true,
  call: (by, { agentId, ...page }) => sessionService.list(by, { agentId }, page)
})

export const readCapability = ({ sessionService }: Deps): Capability<Static<typeof ReadParams>> => ({
  title: 'Read a conversation',
  description: 'What was said in a conversation, newest first, in pages, without what tools returned',
  risk: 'high',
  reaches: 'Reads everything that you and your agents said to each other',
  narrows: { to: 'agents' },
  scope: ['agents:read'],
  params: ReadParams,
  result: Page(Message),
  idempotent: true,
  async call(by, { sessionId, ...page }, { within }) {
    within((await sessionService.owned(by, sessionId, 'read', '/sessionId')).agentId)
    return sessionService.transcript(by, sessionId, page)
  }
})
