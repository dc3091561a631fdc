import type { ModelChoice } from '../../models/contract.ts'
import type { ChatMessage } from '../schemas/runs.ts'

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
  /** Of the run that has it started, and one more; left out: that of the `parent`, and one more. */
  readonly depth?: number
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
  /** The run that has it started: 429 `too_many_descendants` when too many descend from the first one above them. */
  readonly parent?: string
}

export interface OrderedMessage extends ChatMessage {
  /**
   * Comes from outside, not from a person whom the agent serves: the prompts of this run and of later ones of the session
   * mark it as they mark what tools return. Of role `user` alone: 400 for any other.
   */
  readonly untrusted?: boolean
}
