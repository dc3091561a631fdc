import type { ForTokens, PageOf, Paging, Principal, Trx } from 'agent-platform'
import type { Attachment } from '../sessions/contract.ts'
import type { ExecutedStep, Executor } from './execute/executor.ts'
import type { CallUsage } from './execute/usage.ts'
import type { Gate, NextCall, Reservation, Reservations, RunInfo } from './gates.ts'
import type { Answer, Question, Resumed } from './questions.ts'
import type {
  AboutRun,
  Context,
  ContextItem,
  RecordedCall,
  RunEnding,
  RunFilter,
  RunOutcome,
  RunRecord,
  SettledRun,
  StartedRun
} from './record.ts'
import type { Decision, QuestionAnswer } from './schemas/decisions.ts'
import type { Citation } from './schemas/events.ts'
import type { ChatMessage, FinishReason, Run, RunOptions, ToolAnswer, Usage } from './schemas/runs.ts'
import type { SharedRun } from './schemas/sharing.ts'
import type { AcceptedPart, PromptImage, RoomOfParts } from './start/request-part.ts'
import type { OrderedMessage, RunOrder } from './start/run-order.ts'

export type {
  AboutRun,
  Answer,
  CallUsage,
  ChatMessage,
  Citation,
  Context,
  ContextItem,
  Decision,
  ExecutedStep,
  Executor,
  FinishReason,
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
  RunFilter,
  RunInfo,
  RunOptions,
  RunOrder,
  RunOutcome,
  RunRecord,
  SettledRun,
  StartedRun,
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
  /** A page of those that the principal reaches, newest first; 404 or 403 for an agent or a session that it does not. */
  list(
    by: Principal,
    query: RunFilter
  ): Promise<{ data: readonly Pick<RunRecord, 'id' | 'sessionId' | 'agentId'>[]; nextCursor: string | null }>
  /** Where the run stands among others; 404, 403. */
  find(by: Principal, runId: string): Promise<Pick<RunInfo, 'id' | 'sessionId' | 'agentId' | 'depth'>>
  /** The run when it has ended or waits for something from outside, or as it is when the signal is aborted; 404, 403. */
  settled(by: Principal, runId: string, signal: AbortSignal): Promise<SettledRun>
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
  /**
   * Those that have ended, of an agent, a session or by id, the newest first: of all owners, or with `by` of those that it reaches.
   * Nobody's rights are asked for besides.
   */
  ended(
    project: string,
    of: Pick<RunFilter, 'runId' | 'agentId' | 'sessionId'>,
    page: Paging,
    by: Principal | undefined
  ): Promise<PageOf<{ id: string }>>
  /** Returns when it has ended; 409 for one that had completed or failed before. */
  cancel(by: Principal, runId: string): Promise<Run>
  /** As the route of results of the caller's own tools, which refuses the same. */
  answerCall(by: Principal, answer: ToolAnswer): Promise<Run>
  /** As the route of approvals, which refuses the same. */
  decide(by: Principal, runId: string, callId: string, decision: Decision): Promise<Run>
  /** As the route of elicitations, which refuses the same. */
  answer(by: Principal, runId: string, elicitationId: string, answer: QuestionAnswer): Promise<Run>
  /** Whether the agent has something to do: a run that is queued or under way, or one of that session that waits from outside. */
  isBusy(project: string, agentId: string, sessionId?: string): Promise<boolean>
}

/** Offers tools to runs. */
export interface ToolSource {
  /** What the model may call in its next step: asked before each. */
  offer(run: RunInfo): Promise<readonly Tool[]>
}

export interface Tool extends Pick<ForTokens, 'tokens'> {
  /** By which tokens may name it, beside its name. */
  readonly id?: string
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
  /** An approval counts for the one call that was decided on, also where it was given for the rest of the session. */
  readonly approvedEach?: boolean
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
  /** Its arguments may be made of what tools returned, or of what came from outside; or no person had asked for the run. */
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
   * For the next step, if any; `input` is what the caller said, `items` what the record is to name. Its text stands in the system
   * prompt and should stay the same in a session, since providers bill a prompt that begins as an earlier one at a fraction;
   * what changes from run to run is `changing`, and stands next to the last message.
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

/** Says what an answer stands on, if anything; asked before a run that called tools has ended. */
export interface CitationSource {
  cite(run: RunInfo, content: string): Promise<readonly Citation[]>
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
    'runs.executor': Executor
  }
  interface Facts {
    'runs.started': AboutRun
    /** It goes on only with a decision, an answer or a result from outside: said once, whatever it waits for besides. */
    'runs.suspended': AboutRun
    /** All that it waited for has come, or is not waited for any more. Never after the end. */
    'runs.resumed': AboutRun
    'runs.completed': RunEnding
    'runs.failed': RunEnding & { readonly code: string }
    'runs.cancelled': RunEnding
    'runs.shared': SharedRun
    'runs.unshared': SharedRun
  }
}
