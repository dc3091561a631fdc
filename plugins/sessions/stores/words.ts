import type { MessageCall, Words } from '../contract.ts'

/** A message as its row has it: every column, of every role. */
export interface WordsRow {
  readonly role: Words['role']
  readonly content: string
  readonly toolCalls: readonly MessageCall[] | null
  readonly callId: string | null
  readonly toolName: string | null
  readonly isError: boolean | null
  readonly untrusted: boolean
}

/** With what a message of its role has, and nothing else. */
export function wordsOf({ role, content, toolCalls, callId, toolName, isError, untrusted }: WordsRow): Words {
  if (role === 'assistant') return { role, content, toolCalls: toolCalls ?? [] }
  if (role === 'user') return { role, content, ...(untrusted && { untrusted }) }
  if (role === 'system') return { role, content }
  return { role, content, callId: callId ?? '', toolName: toolName ?? '', isError: isError ?? false }
}
