import type { Attachment, MessageCall, ModelReply, Words } from '../contract.ts'

/** A message as its row has it: every column, of every role. */
export interface WordsRow {
  readonly role: Words['role']
  readonly content: string
  readonly toolCalls: readonly MessageCall[] | null
  readonly callId: string | null
  readonly toolName: string | null
  readonly isError: boolean | null
  readonly untrusted: boolean
  readonly attachments: readonly Attachment[] | null
  /** Up to which position a summary stands for messages. */
  readonly summarizes: number | null
  /** Where it is read at all. */
  readonly reply?: ModelReply | null
}

/** With what a message of its role has, and nothing else. */
export function wordsOf(row: WordsRow): Words {
  const { role, content, toolCalls, callId, toolName, isError, untrusted, attachments, reply, summarizes } =
    row
  if (role === 'assistant') return { role, content, toolCalls: toolCalls ?? [], ...(reply && { reply }) }
  if (role === 'user')
    return { role, content, ...(untrusted && { untrusted }), ...(attachments && { attachments }) }
  if (role === 'system')
    return { role, content, ...(summarizes !== null && { isSummary: true, ...(untrusted && { untrusted }) }) }
  return { role, content, callId: callId ?? '', toolName: toolName ?? '', isError: isError ?? false }
}
