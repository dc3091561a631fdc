import type { ModelChoice } from '../../models/contract.ts'
import type { MessageCall } from '../../sessions/contract.ts'
import type { ChatMessage, RunRequest } from '../schemas/runs.ts'

export interface RunOrder {
  readonly agentId: string
  readonly messages: readonly OrderedMessage[]
  /** Files that belong to it, as those of the body of `POST /v1/agents/run`. */
  readonly attachments?: readonly { readonly fileId: string }[]
  /** The session to continue; left out: a new one. */
  readonly sessionId?: string
  /** 1 to 255 visible ASCII characters. */
  readonly key?: string
  /**
   * Of the run, made by `newId('run')` and recorded by the caller before: so no fact about the run comes before the caller
   * knows whose it is. One of that id that was begun before is that one, however it went on.
   */
  readonly id?: string
  /** The `id` was recorded by this very order, so that nothing can have begun it before: it is not looked for. */
  readonly isNew?: boolean
  /** Of the run that has it started, and one more; left out: that of the `parent`, and one more. */
  readonly depth?: number
  /** Tools of the caller, as those of the body of `POST /v1/agents/run`; their calls are answered by `answerCall`. */
  readonly cliTools?: RunRequest['cliTools']
  /** Appended to the system prompt of this run alone. */
  readonly cliContext?: string
  /** Instead of the agent's own, for this run, as those of the body of `POST /v1/agents/run`. */
  readonly options?: RunRequest['options']
  /** Another model than the agent's, for this run; 400 /model/modelProvider for a provider that no pack brings. */
  readonly model?: ModelChoice
  /**
   * JSON Schema of the answer, 400 when it is none: asked for as such where the provider can, and said in the prompt in
   * any case. Whether the answer fits is for its reader to check.
   */
  readonly answerSchema?: object
  /** All of the messages are; see `OrderedMessage`. */
  readonly untrusted?: boolean
  /**
   * An answer that is this text alone, but for white space around it, leaves nothing of the run in its session: neither
   * what was asked nor what was called. The run itself has it as its content.
   */
  readonly silentAnswer?: string
  /**
   * What is not marked in the messages are the words of a person whom the agent serves, for this run. Left out: its calls of tools
   * count as `untrusted`, whatever stands in its prompt, since what a program asks may be made of what strangers wrote.
   */
  readonly trusted?: boolean
  /** The run that has it started: 429 `too_many_descendants` when too many descend from the first one above them. */
  readonly parent?: string
  /**
   * It is a part of work that the platform has accepted, such as a step of a workflow: not counted against the request
   * limit of the agent.
   */
  readonly isAccepted?: boolean
}

/** What is said, or was said and called in a conversation that is kept elsewhere. */
export type OrderedMessage = OrderedWords | OrderedResult

interface OrderedWords extends ChatMessage {
  /**
   * Comes from outside, not from a person whom the agent serves: the prompts of this run and of later ones of the session
   * mark it as they mark what tools return. Of role `user` alone: 400 for any other.
   */
  readonly untrusted?: boolean
  /** Of role `assistant`: what it called; each is answered by a message of role `tool` behind it. */
  readonly toolCalls?: readonly MessageCall[]
}

/** What a call gave: data, like all that tools return. */
export interface OrderedResult {
  readonly role: 'tool'
  readonly content: string
  readonly callId: string
  readonly toolName: string
  readonly isError: boolean
}
