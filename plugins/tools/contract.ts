import type { ForTokens, Owned, Principal, Trx } from 'agent-platform'
import type { Answer, Question, Resumed } from '../runs/contract.ts'
import type {
  CredentialNeed,
  CredentialSource,
  OpenedCredential,
  Redact,
  StaticTool,
  ToolGate,
  ToolKind
} from './points.ts'
import type { Assignment, NewAssignment } from './schemas/assignments.ts'
import type { ToolKey } from './schemas/keys.ts'
import type { ToolKeyMapping } from './schemas/mappings.ts'
import type { Permission } from './schemas/permissions.ts'
import type { Tool } from './schemas/tools.ts'

export type * from './points.ts'
export type {
  Answer,
  Assignment,
  NewAssignment,
  Permission,
  Question,
  Resumed,
  Tool,
  ToolKey,
  ToolKeyMapping
}

/** A tool that an agent may be offered now. */
export interface Offered {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly parameters: object
  readonly idempotent: boolean
  readonly policy: 'allow' | 'ask'
  /** Changes whenever what was approved is no longer what would be called. */
  readonly stamp: string
  readonly tokens?: ForTokens['tokens']
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
  /** Its arguments may be made of what tools returned, or of what came from outside; left out: they may. */
  readonly untrusted?: boolean
  /** The stamp of what was approved for this call; counts only while it is the tool's. */
  readonly approved?: string
  /**
   * Its output is for a model to read: a long one is cut to `toolOutputCharacters`, and says so. Programs get the whole
   * up to `toolOutputKept` characters, and `isTooLarge` beyond.
   */
  readonly isForModel?: boolean
  readonly signal?: AbortSignal
  progress?(output: string): void
  ask?(question: Question, resume?: unknown): Promise<Answer>
  readonly resumed?: Resumed
}

export interface Outcome {
  readonly callId: string
  /** JSON; text that says why where `isError`. */
  readonly output: unknown
  readonly isError: boolean
  /** The call was made, and its output is too large to be returned; `isError` as well. */
  readonly isTooLarge?: boolean
  /** It was not seen whether the call had an effect: to make it again might do the same thing twice. */
  readonly isUnknown?: boolean
}

/** A tool that a pack keeps in the list of tools: of a kind of its own. */
export interface ManagedTool {
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
  /** Whose agents may be given it, beside what its owner grants: kept as a permission of the project's. Left out: nothing is. */
  readonly audience?: 'owner' | 'project'
}

export interface Tools {
  /** What the agent may be offered on behalf of the principal: one query. */
  offer(by: Principal, agentId: string): Promise<readonly Offered[]>
  /**
   * Permission, policy, gate, call, record. 404 for a tool that the agent was not assigned, 403 (`tool_denied`,
   * `approval_required`), or what a gate says; whatever goes wrong with the call itself is an output with `isError`.
   */
  invoke(invocation: Invocation): Promise<Outcome>
  /**
   * 404 or 403, at `param/<index>/toolId`, unless the principal may use these tools; what it gives assigns them to an agent
   * of the principal's, in the transaction in which that is made.
   */
  prepareAssignments(
    by: Principal,
    tools: readonly NewAssignment[],
    param: string
  ): Promise<(trx: Trx, agent: Owned & { readonly id: string }) => Promise<void>>
  /** Tools that the principal may use, whether an agent has them or not; static ones are left out. */
  usable(by: Principal, ids: readonly string[]): Promise<ReadonlySet<string>>
  /**
   * Why each of these schemas could not be the parameters of a tool, null for those that could: what `saveManaged` is to
   * get as `unavailable`. Outside of any transaction: it takes up to a second for each, and ends with the signal.
   */
  examine(
    by: Pick<Principal, 'project' | 'owner'>,
    parameters: readonly object[],
    signal?: AbortSignal
  ): Promise<readonly (string | null)[]>
  /** Writes tools whose parameters were examined, new or known; gives the names that they got, by id. Counts a version where something changed. */
  saveManaged(trx: Trx, by: Principal, tools: readonly ManagedTool[]): Promise<ReadonlyMap<string, string>>
  /** Takes tools away, with their assignments, permissions and mappings. */
  removeManaged(trx: Trx, by: Principal, project: string, ids: readonly string[]): Promise<void>
  /** A key of the principal's for an address (403 for a host that it does not name), opened; 404 and 403 at `param`. */
  openKey(
    by: Pick<Principal, 'project' | 'owner'> & Partial<Principal>,
    keyId: string,
    to: URL,
    param?: string
  ): Promise<string>
  /** 404, 403 or 409 unless the owner may use a connection like that; 503 (`connections_off`) while no pack keeps any. */
  checkConnection(by: Owned, need: CredentialNeed): Promise<void>
  /** The same, and opens it. */
  openConnection(by: Owned, need: CredentialNeed): Promise<OpenedCredential>
  /** For what a service says outside of calls: descriptions, reasons, what it offers. */
  redactor(secrets: Iterable<string>): {
    add(secret: string): void
    readonly redact: Redact
    /** For what may be long: others have their turns in between. */
    readonly redactInTurns: <T>(said: T) => Promise<T>
  }
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

/** Of the two the one that is mapped. */
interface Mapped {
  readonly id: string
  readonly keyId: string | null
  readonly connectionId: string | null
  readonly toolId: string
}

declare module 'agent-platform' {
  interface Services {
    tools: Tools
  }
  interface Points {
    'tools.static': StaticTool
    'tools.kind': ToolKind
    'tools.gate': ToolGate
    'tools.credential': CredentialSource
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
    'tools.key_mapped': Mapped & { in: string; name: string; scopes: string[] }
    'tools.key_unmapped': Mapped
    'tools.granted': Permission
    'tools.revoked': Permission
    'tools.transferred': { id: string; from: string; to: string; mappingsDropped: number }
    'tools.called': Called
  }
}
