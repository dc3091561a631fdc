import type { ExecutionTable, Kernel } from 'agent-platform'
import { executionTable } from 'agent-platform'
import type { ExecutionRecord } from '../executions/journal.ts'

/** Which instance executes what, and what waits. */
export const createExecutionTable = (
  kernel: Pick<Kernel, 'hot' | 'streams' | 'instances'>
): ExecutionTable<ExecutionRecord> =>
  executionTable(kernel, 'workflows.execution', { idField: 'executionId' })
