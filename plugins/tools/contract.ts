import type { Owned, Principal, Trx } from 'agent-platform'
import type { Answer, Question } from '../runs/contract.ts'
import type { Assignment } from './schemas/assignments.ts'
import type { ToolKey, ToolKeyMapping } from './schemas/keys.ts'
import type { Permission } from './schemas/permissions.ts'
import type { Tool } from './schemas/tools.ts'

export type { Answer, Assignment, Permission, Question, Tool, ToolKey, ToolKeyMapping }

/** What a call of a tool is told, whatever its kind. */
export interface Call {
  /** Unique, and the same when the call is made again: what an idempotent service should be told. */
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
  /** Aborted at the tool's time limit, or when the call is given up. */
  readonly signal: AbortSignal
  /** Output that a reader of the run may see while the call goes on; nothing where there is no run. */
  progress(output: string): void
  /** Asks whoever follows the run; declined at once where nobody does. */
  ask(question: Question): Promise<Answer>
}

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
  /** Seconds, those in which somebody is asked left out; default: those of the settings. */
  readonly timeoutSeconds?: number
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
   * 400 (below `/config`) unless a client may register that; gives what is kept. Without it nobody registers tools of
   * this kind by `POST /v1/tools`: a pack does, by `tools.adopt`.
   */
  check?(by: Principal, tool: { config: object; parameters: object }): Promise<object>
  /** A failure of a `kind` (502, 504 …) is told with its message; of an idempotent tool it is tried again. */
  call(tool: KindTool, call: Call, keys: readonly PlacedKey[]): Promise<Output>
}

/** A key that is mapped to a tool: opened for this call, and for nothing else. */
export interface PlacedKey {
  readonly keyId: string
  readonly in: 'header' | 'query' | 'body'
  readonly name: string
  /** Host names, or `host:port`; the key goes nowhere else. */
  readonly allowedHosts: readonly string[]
  /** The secret. Never to be logged, returned or put into an error. */
  readonly value: string
}

/** May refuse a call, by throwing a failure that the caller sees; spend caps, moderation. */
export interface ToolGate {
  admit(call: Omit<Call, 'progress' | 'ask' | 'signal'> & { readonly toolName: string }): Promise<void>
}

/** A tool that an agent may be offered now. */
export interface Offered {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly parameters: object
  readonly idempotent: boolean
  readonly policy: 'allow' | 'ask'
  /** Changes whenever what somebody approved is no longer what would be called. */
  readonly stamp: string
}

export interface Invocation {
  /** Unique; made where it is missing. */
  readonly callId?: string
  readonly by: Principal
  readonly agentId: string
  /** Name or id. */
  readonly toolName: string
  readonly args: unknown
  readonly run?: { readonly id: string; readonly sessionId: string }
  readonly depth?: number
  /** The stamp of what somebody approved for this call; counts only while it is the tool's. */
  readonly approved?: string
  readonly signal?: AbortSignal
  progress?(output: string): void
  ask?(question: Question): Promise<Answer>
}

export interface Outcome {
  readonly callId: string
  /** Capped; the whole is kept with the record. */
  readonly output: unknown
  readonly isError: boolean
}

/** A tool that a pack keeps in the list of tools: of a kind of its own. */
export interface Adopted {
  readonly id: string
  readonly project: string
  readonly owner: string
  readonly kind: string
  /** Free in the project, else another one is given. */
  readonly name: string
  readonly description: string
  readonly parameters: object
  readonly config: object
  readonly idempotent: boolean
  /** Why it is not offered, if so. */
  readonly unavailable: string | null
}

export interface Tools {
  /** What the agent may be offered on behalf of the principal: one query. */
  offer(by: Principal, agentId: string): Promise<readonly Offered[]>
  /**
   * Permission, policy, gate, call, record. 404 for a tool that the agent was not assigned, 403 (`tool_denied`,
   * `approval_required`), or what a gate says; whatever goes wrong with the call itself is an output with `isError`.
   */
  invoke(invocation: Invocation): Promise<Outcome>
  /** Tools that the principal may use, whether an agent has them or not; static ones are left out. */
  usable(by: Principal, ids: readonly string[]): Promise<ReadonlySet<string>>
  /** Writes tools, new or known; gives the names that they got, by id. Counts a version where something changed. */
  adopt(trx: Trx, by: Principal, tools: readonly Adopted[]): Promise<ReadonlyMap<string, string>>
  /** Takes tools away, with their assignments, permissions and mappings. */
  disown(trx: Trx, by: Principal, project: string, ids: readonly string[]): Promise<void>
  /** A key of the principal's for an address (403 for a host that it does not name), opened; 404 and 403 at `param`. */
  openKey(
    by: Pick<Principal, 'project' | 'owner'> & Partial<Principal>,
    keyId: string,
    to: URL,
    param?: string
  ): Promise<string>
}

/** A call that has ended: never its arguments or output. */
export interface Called {
  readonly callId: string
  readonly toolId: string
  readonly toolName: string
  readonly kind: string
  readonly agentId: string
  readonly runId: string | null
  readonly isError: boolean
  readonly milliseconds: number
  readonly size: number
}

declare module 'agent-platform' {
  interface Services {
    tools: Tools
  }
  interface Points {
    'tools.static': StaticTool
    'tools.kind': ToolKind
    'tools.gate': ToolGate
  }
  interface Facts {
    'tools.created': Omit<Tool, 'config'>
    'tools.updated': Omit<Tool, 'config'>
    'tools.deleted': { id: string; name: string }
    'tools.assigned': Assignment
    'tools.assignment_updated': Assignment
    'tools.unassigned': Assignment
    'tools.key_created': ToolKey
    'tools.key_updated': ToolKey
    'tools.key_rotated': { id: string }
    'tools.key_deleted': { id: string; mappings: number }
    'tools.key_mapped': { id: string; keyId: string; toolId: string; in: string; name: string }
    'tools.key_unmapped': { id: string; keyId: string; toolId: string }
    'tools.granted': Permission
    'tools.revoked': Permission
    'tools.transferred': { id: string; from: string; to: string; mappingsDropped: number }
    'tools.called': Called
  }
}
