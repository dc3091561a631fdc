import type { Owned } from 'agent-platform'
import type { Assignment, Permission, Tool, ToolKey, ToolKeyMapping } from './contract.ts'

/** A registered tool; static ones have no row. */
export type ToolRow = Omit<Tool, 'owner' | 'config' | 'available'> &
  Owned & { readonly config: Readonly<Record<string, unknown>>; readonly unavailable: string | null }
export type AssignmentRow = Assignment & Owned
export type PermissionRow = Permission & Owned
export type KeyRow = ToolKey & Owned & { readonly sealed: string }
export type MappingRow = ToolKeyMapping & Owned

/** Why a principal may use a tool, or manage it. */
export interface Grant {
  readonly reason: 'static' | 'ownership' | 'inheritance' | 'grant'
  readonly level: 'use' | 'manage'
  /** Of a grant. */
  readonly permissionId?: string
}

/** An agent's assignment, what it is of, and by which grants the two may use it; a grant that is missing is null. */
export interface AssignedTool {
  readonly assignment: Pick<AssignmentRow, 'id' | 'owner' | 'agentId' | 'toolId' | 'policy' | 'enabled'>
  /** Undefined for a static one, whose name is `assignment.toolId`. */
  readonly tool: ToolRow | undefined
  readonly principal: Grant | null
  readonly agent: Grant | null
}
