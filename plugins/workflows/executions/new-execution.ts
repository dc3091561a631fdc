import type { Principal } from 'agent-platform'
import { delegationOf, newId } from 'agent-platform'
import type { Executable } from '../stores/starts.ts'
import type { ExecutionRecord } from './journal.ts'

/** What an execution that another one begins belongs to. */
export type Parent = Pick<ExecutionRecord, 'rootId' | 'parentId' | 'parentStep'>

/** As it is before anybody executes it. */
export function newExecution(
  by: Principal,
  { project, owner, id: workflowId, version }: Executable,
  input: unknown,
  depth: number,
  parent: Parent | undefined
): ExecutionRecord {
  const id = newId('execution')
  return {
    project,
    id,
    owner: by.initiator ?? owner,
    workflowId,
    workflowVersion: version,
    status: 'queued',
    instance: null,
    attempt: 1,
    crashes: 0,
    wakes: 0,
    cancelledFor: null,
    depth,
    rootId: id,
    parentId: null,
    parentStep: null,
    ...parent,
    input,
    output: null,
    error: null,
    ending: null,
    delegation: delegationOf(by),
    createdAt: new Date().toISOString(),
    endedAt: null
  }
}
