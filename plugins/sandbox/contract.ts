import type { Principal } from 'agent-platform'

/** Code of a stranger: the text of one ES module that imports nothing. README.md tells what it finds and has to export. */
export interface SandboxProgram {
  /** Of a text that never changes, such as project, app and digest of the version: what is warm under it is used again. */
  readonly id: string
  /** Programs of different groups are never in one process at a time: the project. */
  readonly group: string
  /** Who is blamed, over all versions, for processes that were lost: project and app. */
  readonly culprit: string
  /** The text; asked for whenever it is not warm. */
  load(): Promise<string>
  /** Each at most what the settings say, which is also the default. */
  readonly limits?: Partial<SandboxLimits>
}

export interface SandboxLimits {
  /** Milliseconds of the processor that a call may take, across all that it awaits. */
  readonly cpuMs: number
  /**
   * Milliseconds from when the program is there to the answer of the call. Those of the settings count from the call, with the start
   * of what is not warm.
   */
  readonly wallMs: number
  /** Megabytes of the program's heap, of all calls that are in it. Never less than 16. */
  readonly memoryMb: number
  /** Calls of the host that a call may have waiting. */
  readonly pending: number
  /** UTF-16 code units of JSON of one message: input, result, parameters and results of calls of the host. */
  readonly messageSize: number
  /** Lines of its log that a call may write; what is more is dropped, and one line more says so. */
  readonly logLines: number
}

export interface SandboxCall {
  readonly program: SandboxProgram
  /** Callers take turns where more is asked for than can be done. */
  readonly by: Pick<Principal, 'project' | 'owner'>
  /** One of the functions that the program exports. */
  readonly fn: string
  /** JSON. */
  readonly input: unknown
  /** What the function is told beside its input, as `context.about`: JSON. */
  readonly about?: Readonly<Record<string, unknown>>
  /**
   * Answers what the function asks of the platform, as it comes: `params` is JSON of the stranger's making, of at most
   * `messageSize` code units and 64 levels, without `__proto__`. The signal is aborted when the call ends. What it throws is told to
   * the program as `host_failed`, without a message.
   */
  host(method: string, params: unknown, signal: AbortSignal): Promise<SandboxReply>
  /** A line of the program's log, of at most 4,096 characters. */
  log?(level: 'debug' | 'info' | 'warn' | 'error', text: string): void
  /** Ends the call with the code `aborted`. */
  readonly signal?: AbortSignal
}

/** JSON; the program sees an error with that code and message. */
export type SandboxReply =
  | { readonly data: unknown }
  | { readonly error: { readonly code: string; readonly message: string } }

export type SandboxCode =
  /** The function threw; `detail` has what it said. */
  | 'app_error'
  | 'cpu_exceeded'
  | 'time_exceeded'
  | 'memory_exceeded'
  /** More calls of the host at a time than it may. */
  | 'too_many_pending'
  /** Its input, its result or what it sent was too large. */
  | 'message_too_large'
  /** Its process was lost, by another program or by a fault; it may have had effects. */
  | 'sandbox_lost'
  /** Its program was the end of too many processes: `health` tells until when. */
  | 'quarantined'
  | 'not_a_function'
  /** Its text cannot be loaded, or failed while it was. */
  | 'invalid_program'
  /** Too many calls of the caller wait, or there is no process to be had. */
  | 'overloaded'
  | 'aborted'

export interface SandboxUsage {
  /** Milliseconds of the processor; that of calls at the same time in one program is shared out evenly. */
  readonly cpuMs: number
  readonly wallMs: number
  /** Calls of the host. */
  readonly hostCalls: number
  /** UTF-16 code units of JSON into the program and out of it. */
  readonly sizeIn: number
  readonly sizeOut: number
}

export interface SandboxError {
  readonly code: SandboxCode
  /** For people; of `app_error` the program's own words, of at most 1,000 characters. */
  readonly message: string
  /**
   * Of `app_error`: the name of the error that was thrown, its `code`, where that is a string, and whether the host answered a call of
   * this very function with that code and message, so that they are the host's words and none of the program's.
   */
  readonly detail?: { readonly name: string; readonly code?: string; readonly isOfHost: boolean }
}

export type SandboxAnswer =
  | { readonly data: unknown; readonly usage: SandboxUsage }
  | { readonly error: SandboxError; readonly usage: SandboxUsage }

export interface SandboxHealth {
  /** `suspected`: it was there when a process was lost, and runs apart from all others until that is cleared up. */
  readonly state: 'healthy' | 'suspected' | 'quarantined'
  /** Processes that it was the end of, since it was last reset or ran without fault for a while. */
  readonly losses: number
  /** Of the last loss. */
  readonly reason?: string
  /** When a quarantine ends by itself. */
  readonly until?: Date
}

/**
 * Runs code of strangers in isolates of processes of their own. Never inside a transaction. Never rejects: what goes wrong is in
 * the answer.
 */
export interface Sandbox {
  call(call: SandboxCall): Promise<SandboxAnswer>
  /**
   * Loads a program without calling it: the names of its functions, or what is wrong with it. It has at least 30 seconds, so that a
   * busy machine is no fault of the program; of the processor it may take what a call may.
   */
  examine(
    program: SandboxProgram,
    by: SandboxCall['by']
  ): Promise<{ readonly functions: readonly string[] } | { readonly error: SandboxError }>
  /** Of this instance. */
  health(culprit: string): SandboxHealth
  /** Ends quarantine and suspicion, and forgets losses. */
  reset(culprit: string): void
  /** What is warm of the program goes when the calls in it have ended. */
  evict(programId: string): void
  readings(): SandboxReadings
}

/** How it stands, on this instance. */
export interface SandboxReadings {
  readonly processes: readonly {
    readonly pid: number
    readonly group: string | undefined
    readonly programs: number
    readonly calls: number
    /** It gets of the processors what others leave. */
    readonly isBackground: boolean
    /** It has no network, whatever takes it over. False until it has started. */
    readonly isOffline: boolean
  }[]
  readonly waiting: number
  /** Processes that were lost since the start. */
  readonly lost: number
  readonly quarantined: number
}

declare module 'agent-platform' {
  interface Services {
    sandbox: Sandbox
  }
}
