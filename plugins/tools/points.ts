import type { ForTokens, Owned, Principal, Usage } from 'agent-platform'
import type { Answer, Question, Resumed } from '../runs/contract.ts'

/** What is to be called, and for whom. */
export interface CallOrder {
  /** Unique, and the same when the call is made again: what an idempotent service should be sent. */
  readonly id: string
  /** On whose behalf. */
  readonly by: Principal
  readonly agentId: string
  /** Where it is made in a run. */
  readonly run?: { readonly id: string; readonly sessionId: string }
  /** Valid for the tool's parameters. */
  readonly args: Readonly<Record<string, unknown>>
  /** How many delegations lie above it. */
  readonly depth: number
  /** Its arguments may be made of what tools returned, or of what came from outside. */
  readonly untrusted: boolean
}

/** What a call of a tool is given, whatever its kind. */
export interface Call extends CallOrder {
  /** Aborted at the tool's time limit, or when the call is given up. */
  readonly signal: AbortSignal
  /** Names a secret that goes with the call: it is taken out of all that the tool says. Mapped keys are named already. */
  secret(value: string): void
  /** `Redact` for what is cut: half a secret would not be found later. Everything that a call gives is redacted in any case. */
  redact<T>(said: T): Promise<T>
  /** Output that a reader of the run may see while the call goes on; nothing where there is no run. */
  progress(output: string): void
  /**
   * Asks those who follow the run; declined at once where none does. `resume` is JSON by which the call is made again,
   * `resumed`, should its process be gone before the answer.
   */
  ask(question: Question, resume?: unknown): Promise<Answer>
  readonly resumed?: Resumed
  /** Notes what the call used up: in its record, also where it fails. Nothing is charged by that. */
  used(usage: readonly Usage[]): void
}

/**
 * Takes secrets out of a text, or of JSON with its names: as they are, without their scheme, in base64 and hexadecimal,
 * and escaped as addresses, JSON, JavaScript and HTML have it. Control characters go first. The value itself is not changed.
 */
export type Redact = <T>(said: T) => T

export interface Output {
  /** JSON. */
  readonly output: unknown
  readonly isError?: boolean
}

/** A tool that a pack brings along, for everyone; its key at the point is its name, `[A-Za-z0-9_-]{1,64}`. */
export interface StaticTool {
  readonly description: string
  /** JSON Schema of an object. */
  readonly parameters: object
  /** A call whose outcome is unknown may be made again, with the same id. */
  readonly idempotent: boolean
  /** Seconds, those in which a person is asked left out; default: those of the settings. */
  readonly timeoutSeconds?: number
  readonly tokens?: ForTokens['tokens']
  call(call: Call): Promise<Output>
}

/** A registered tool, as its kind sees it. */
export interface KindTool extends Owned {
  readonly id: string
  readonly name: string
  /** As `check` left it. */
  readonly config: Readonly<Record<string, unknown>>
  readonly idempotent: boolean
}

/** How the tools of one kind are called; its key at the point is the kind. */
export interface ToolKind {
  /**
   * 400 (below `/config`) unless a client may register that; gives what is kept. Without it clients register no tools of
   * this kind by `POST /v1/tools`: a pack does, by `tools.saveManaged`.
   */
  check?(by: Principal, tool: { config: object; parameters: object }): Promise<object>
  /** Why it cannot be called on this instance for a while, if so: then it is neither offered nor called. Default: never. */
  unavailable?(tool: KindTool): string | null
  /** Of all tools of this kind. */
  readonly tokens?: ForTokens['tokens']
  /** A failure of a `kind` (502, 504 …) is answered with its message; of an idempotent tool it is tried again. */
  call(tool: KindTool, call: Call, keys: readonly InjectedKey[]): Promise<Output>
}

/** A key that is mapped to a tool: opened for this call, and for nothing else. */
export interface InjectedKey {
  /** Of the key, or of the connection. */
  readonly keyId: string
  readonly in: 'header' | 'query' | 'body'
  readonly name: string
  /** Host names, `*.` and a name, or `host:port`; the key goes nowhere else. */
  readonly allowedHosts: readonly string[]
  /** The secret. Never to be logged, returned or put into an error. */
  readonly value: string
  /** Of what renews itself: the service did not take the value (401), so here is another one to try once, if there is. */
  renew?(): Promise<string | undefined>
}

/** What a credential is needed for. */
export interface CredentialNeed {
  readonly id: string
  /** Where it is to be sent, as far as that is known. */
  readonly to?: URL | undefined
  /** What it has to be allowed. */
  readonly scopes: readonly string[]
  /** Key of the provider, where only one to that will do. */
  readonly provider?: string | undefined
  /** Where in a body the id stood. */
  readonly param?: string | undefined
}

/** A credential for one call. Its value is never to be logged, returned or put into an error. */
export interface OpenedCredential {
  readonly value: string
  /** Host names, `*.` and a name, or `host:port`; it goes nowhere else. */
  readonly allowedHosts: readonly string[]
  /** The service did not take it (401): another value to try once, where there is one. */
  renew(): Promise<string | undefined>
}

/** Credentials that a pack keeps and renews by itself; its key at the point is their kind, such as `connection`. */
export interface CredentialSource {
  /** 404, 403 (`not_owner`, `other_provider`, `host_not_allowed`, `scope_missing`) or 409 unless its owner may use it like that. */
  check(by: Owned, need: CredentialNeed): Promise<void>
  /** The same, and gives it. */
  open(by: Owned, need: CredentialNeed): Promise<OpenedCredential>
}

/** May refuse a call, by throwing a failure that the caller sees; spend caps, moderation. */
export interface ToolGate {
  admit(call: CallOrder & { readonly toolName: string }): Promise<void>
}
