import type { Kernel, Principal, Recorded, Trx } from 'agent-platform'
import type { ExecutionRecord } from './journal.ts'

type Executed = Pick<ExecutionRecord, 'project' | 'id' | 'owner' | 'workflowId' | 'workflowVersion'>
type Name =
  | 'workflows.started'
  | 'workflows.suspended'
  | 'workflows.resumed'
  | 'workflows.completed'
  | 'workflows.cancelled'

/** The owner, where no other principal acts: also one that is disabled. */
const ownerOf = ({ project, owner }: Executed): Principal => ({
  id: owner,
  type: 'user',
  project,
  owner,
  scopes: new Set(),
  narrowed: false,
  credential: ''
})

const detailsOf = ({ id, owner, workflowId, workflowVersion }: Executed) => ({
  subject: id,
  owner,
  data: { executionId: id, workflowId, workflowVersion }
})

/** What facts say of an execution: never its input or output. */
export const factOf = (name: Name, execution: Executed, by: Principal = ownerOf(execution)): Recorded => ({
  name,
  by,
  ...detailsOf(execution)
})

export function failureFactOf(execution: Executed, code: string): Recorded {
  const { data, ...details } = detailsOf(execution)
  return { name: 'workflows.failed', by: ownerOf(execution), ...details, data: { ...data, code } }
}

export const recordOf = (
  facts: Kernel['facts'],
  trx: Trx,
  name: Name,
  execution: Executed,
  by: Principal = ownerOf(execution)
): Promise<void> => facts.record(trx, name, by, detailsOf(execution))
