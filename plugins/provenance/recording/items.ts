import { hash } from 'node:crypto'
import { canonicalJson } from 'agent-platform'
import type { GivenPassage } from '../../knowledge/contract.ts'
import type { RunRecord } from '../../runs/contract.ts'
import type { Message } from '../../sessions/contract.ts'

export type Mode = 'off' | 'metadata' | 'full'

/** Something that a run was made of, as it is kept: which it was, and the digest of what it said. */
export interface Item {
  readonly type: ItemType | 'events'
  readonly id: string
  readonly [field: string]: unknown
}
export type ItemType = (typeof itemTypes)[number]
export const itemTypes = [
  'run',
  'agent',
  'person',
  'service',
  'model',
  'session',
  'message',
  'memory',
  'document',
  'file',
  'tool',
  'reply',
  'answer'
] as const

interface Used {
  readonly run: RunRecord
  readonly messages: readonly Message[]
  readonly passages: readonly GivenPassage[]
  readonly mode: Exclude<Mode, 'off'>
}

export const sha256 = (text: string): string => hash('sha256', text)
/** Of the canonical JSON of a value (RFC 8785); null where there is none. */
const digestOfJson = (value: unknown): string => sha256(canonicalJson(value ?? null))

/** What a run used, in the order in which a bundle has it. With `full` also what was said, not only its digests. */
export function itemsOf({ run, messages, passages, mode }: Used): Item[] {
  const { id, status, actor, request, sessionId, agentId, usage, content } = run
  const full = mode === 'full'
  const times = { startedAt: run.createdAt, endedAt: run.endedAt }
  const root = request.root !== undefined && { root: request.root }
  return [
    { type: 'run', id, status, mode, ...times, ...root },
    { type: 'agent', id: agentId, as: 'answering' },
    ...asking(actor),
    ...(run.modelId === null
      ? []
      : [{ type: 'model' as const, id: run.modelId, provider: run.modelProvider, usage }]),
    // Of the messages before, prompts have what fits: each of them is an item of the run that it came with.
    { type: 'session', id: sessionId, before: run.position },
    ...messages.flatMap((message) => messageItem(message, full)),
    ...(run.sources ?? []).map(({ type, id, sha256 }) => ({ type: type as ItemType, id, sha256 })),
    ...documentItems(run, passages),
    ...(request.attachments ?? []).map(({ fileId }) => ({ type: 'file' as const, id: fileId })),
    ...run.calls.map(({ id, step, toolName, args, output, isError, endedAt }) => ({
      type: 'tool' as const,
      id,
      name: toolName,
      step,
      argsSha256: digestOfJson(args),
      resultSha256: endedAt === null ? null : digestOfJson(output),
      isError: endedAt === null ? null : isError === true,
      ...(full && { args, result: output })
    })),
    ...(full ? run.replies.map((reply) => replyItem(id, reply)) : []),
    ...(content === null ? [] : [{ type: 'answer' as const, id, ...said(content), ...(full && { content }) }])
  ]
}

const types = { user: 'person', agent: 'agent', service: 'service' } as const

function asking({ id, type, initiator }: RunRecord['actor']): Item[] {
  const caller = { type: types[type], id, as: 'caller' }
  if (initiator === undefined) return [caller]
  return [caller, { type: 'person', id: initiator, as: 'initiator' }]
}

const said = (content: string) => ({ sha256: sha256(content), size: Buffer.byteLength(content) })

/** What tools said are items of their own. */
function messageItem(message: Message, full: boolean): Item[] {
  const { id, role, content } = message
  if (role === 'tool') return []
  const isUntrusted = role === 'user' && message.untrusted === true
  const about = { ...said(content), ...(isUntrusted && { untrusted: true }) }
  return [{ type: 'message', id, role, ...about, ...(full && { content }) }]
}

/** Passages that it was given, and those that its answer cites. */
function documentItems({ citations }: RunRecord, passages: readonly GivenPassage[]): Item[] {
  const cited = new Set(citations?.map(({ n }) => n))
  const known = passages.length > 0 ? passages : (citations ?? [])
  return known.map(({ n, spaceId, documentId, version, start, end, page, title, url }) => ({
    type: 'document',
    id: documentId ?? url ?? title,
    spaceId,
    version,
    start,
    end,
    page,
    title,
    url,
    isCited: cited.has(n)
  }))
}

const replyItem = (runId: string, { step, parts }: RunRecord['replies'][number]): Item => ({
  type: 'reply',
  id: `${runId}/${step}`,
  sha256: digestOfJson(parts),
  parts
})
