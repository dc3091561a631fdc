import type { Principal, Trx } from 'agent-platform'
import type { Attachment } from '../sessions/contract.ts'
import type { FirstCall, Gate, NextCall, Reservation, Reservations, RunInfo } from './gates.ts'
import type { Answer, Question, Resumed } from './questions.ts'
import type { Context, ContextItem, RecordedCall, RunOutcome, RunRecord } from './record.ts'
import type { Decision, QuestionAnswer } from './schemas/decisions.ts'
import type { Citation } from './schemas/events.ts'
import type { ChatMessage, Run, Usage } from './schemas/runs.ts'
import type { AcceptedPart, PromptImage, RoomOfParts } from './start/request-part.ts'
import type { OrderedMessage, RunOrder } from './start/run-order.ts'

export type {
  Answer,
  ChatMessage,
  Citation,
  Context,
  ContextItem,
  Decision,
  FirstCall,
  Gate,
  NextCall,
  OrderedMessage,
  PromptImage,
  Question,
  QuestionAnswer,
  RecordedCall,
  Reservation,
  Reservations,
  Resumed,
  RoomOfParts,
  Run,
  RunInfo,
  RunOrder,
  RunOutcome,
  RunRecord,
  Usage
}

/** For packs that have agents answer. */
export interface Runs {
  /**
   * Begins a run as `POST /v1/agents/run` does, and refuses what that refuses. With the `key` of one that the principal
   * had begun within a day it is that one, which may have ended, and its facts been told, before this returns; other
   * words under the same key are a 409.
   */
  start(by: Principal, order: RunOrder): Promise<StartedRun>
  /** Where the run stands among others; 404, 403. */
  find(by: Principal, runId: string): Promise<Pick<RunInfo, 'id' | 'sessionId' | 'agentId' | 'depth'>>
  /** The run when it has ended or waits for something from outside, or as it is when the signal is aborted; 404, 403. */
  settled(by: Principal, runId: string, signal: AbortSignal): Promise<Run>
  /**
   * What became of these runs, by id, as the transaction sees it and on its connection; without those that have not ended or
   * are gone. For handlers of the facts about them, which know whose they are: nobody's rights are asked for.
   */
  outcomes(trx: Trx, project: string, runIds: readonly string[]): Promise<ReadonlyMap<string, RunOutcome>>
  /**
   * What these runs were asked with, called and said, as the transaction sees it and on its connection, in no order; without those
   * that are gone. For handlers of the facts about them: nobody's rights are asked for.
   */
  records(trx: Trx, project: string, runIds: readonly string[]): Promise<readonly RunRecord[]>
  /** Returns when it has ended; 409 for one that had completed or failed before. */
  cancel(by: Principal, runId: string): Promise<Run>
  /** As the route of approvals, which refuses the same. */
  decide(by: Principal, runId: string, callId: string, decision: Decision): Promise<Run>
  /** As the route of elicitations, which refuses the same. */
  answer(by: Principal, runId: string, elicitationId: string, answer: QuestionAnswer): Promise<Run>
  /**
   * Whether the agent has something to do: a run that is queued or under way, or one of that session that waits for
   * something from outside.
   */
  isBusy(project: string, agentId: string, sessionId?: string): Promise<boolean>
}

export interface StartedRun extends Pick<Run, 'id' | 'sessionId'> {
  /** As `settled` of that run; where it is executed by this process, without a look at the record. */
  settled(leave: AbortSignal): Promise<Run>
}

/** Offers tools to runs. */
export interface ToolSource {
  /** What the model may call in its next step: asked before each. */
  offer(run: RunInfo): Promise<readonly Tool[]>
}

export interface Tool {
  /** `[A-Za-z0-9_-]{1,64}`; of two with the same name the earlier contribution is taken. */
  readonly name: string
  readonly description?: string
  /** JSON Schema of the arguments, an object. */
  readonly parameters: object
  /** After a crash a call whose outcome is unknown is made again, with the same id; any other is not. */
  readonly idempotent: boolean
  /**
   * Each call has to be approved, before it is made. What it says is what an approval for the rest of the session
   * counts for: something else asks again.
   */
  readonly approval?: string
  call(call: ToolCall): Promise<ToolResult>
}

export interface ToolCall {
  /** Unique, and the same when the call is made again: what an idempotent service should get. */
  readonly id: string
  readonly run: RunInfo
  readonly args: unknown
  /**
   * Aborted when the call is given up; by a reason with the code `handed_over` when the run goes on elsewhere, where an
   * idempotent call is made again.
   */
  readonly signal: AbortSignal
  /** This call was approved, or such calls for the rest of the session. */
  readonly approved: boolean
  /** The prompt that it came from held what tools returned, or what came from outside: its arguments may be made of that. */
  readonly untrusted: boolean
  /** Output that the reader of the run may see while the call goes on. */
  progress(output: string): void
  /**
   * Asks those who follow the run, and waits for an answer by any instance; `cancel` when none came in time. Lost with
   * the process, as the call is, unless `resume` says (JSON of 64 KiB at most, sealed at rest) how it goes on: should the
   * process be gone, the call is made again with what was answered, `resumed`. Nothing may be under way meanwhile.
   */
  ask(question: Question, resume?: unknown): Promise<Answer>
  /** The call had asked, and its process was gone before the answer reached it. */
  readonly resumed?: Resumed
}

export interface ToolResult {
  /** JSON. */
  readonly output: unknown
  readonly isError?: boolean
}

/** Adds to the prompt. */
export interface ContextSource {
  /**
   * Text for the system prompt of this run's next step, if any. `input` is what the caller said. With `items` where it is made
   * of things that have ids: the record of the run names them.
   */
  context(run: RunInfo, input: string): Promise<string | Context | undefined>
}

/** Serves a part of a run's body that needs more than this pack; its key is the part's name. */
export interface RequestPart {
  /** Before the run is accepted. Refuses by throwing. */
  accept(run: RunInfo, value: unknown, room: RoomOfParts): Promise<AcceptedPart | undefined>
  /**
   * An image that it gave before, in this run or in an earlier one of the session; asked for by each prompt that shows it.
   * Undefined where it is gone, or the run may not see it.
   */
  image?(run: RunInfo, image: Attachment): Promise<PromptImage | undefined>
}

/** Says what an answer stands on; of a run that called tools alone. */
export interface CitationSource {
  /** Asked when the model has answered, before the run has ended: what of it is cited, if anything. */
  cite(run: RunInfo, content: string): Promise<readonly Citation[]>
}

interface About {
  readonly runId: string
  readonly sessionId: string
  readonly agentId: string
}

interface Ending extends About {
  readonly modelProvider: string | null
  readonly modelId: string | null
  readonly usage: Usage
  /** Of each call of the model, in order. */
  readonly steps: readonly Usage[]
  readonly provenance: 'off' | 'metadata' | 'full'
}

declare module 'agent-platform' {
  interface Services {
    runs: Runs
  }
  interface Points {
    'runs.tools': ToolSource
    'runs.context': ContextSource
    'runs.gate': Gate
    'runs.request': RequestPart
    'runs.citations': CitationSource
  }
  interface Facts {
    'runs.started': About
    /** It goes on only with a decision, an answer or a result from outside: said once, whatever it waits for besides. */
    'runs.suspended': About
    /** All that it waited for has come, or is not waited for any more. Never after the end. */
    'runs.resumed': About
    'runs.completed': Ending
    'runs.failed': Ending & { readonly code: string }
    'runs.cancelled': Ending
  }
}
