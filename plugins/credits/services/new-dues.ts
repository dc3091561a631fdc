import type { Asked, AskedMedia } from '../../models/contract.ts'
import type { Called } from '../../tools/contract.ts'
import type { NewDue } from '../stores/dues.ts'
import type { Ended } from './spent.ts'
import { spentOf } from './spent.ts'

// What facts say is due.

export function dueOfRun(project: string, data: Ended, isCompleted: boolean): NewDue {
  const { runId, sessionId, agentId, steps } = data
  const isAlone = isCompleted && steps.length === 1
  const run = { runId, sessionId, agentId, spent: spentOf(data), ...(isAlone && { isAlone }) }
  return { project, id: runId, key: `run:${runId}`, due: { run } }
}

export function dueOfAsked(project: string, { callId: id, ...data }: Asked): NewDue {
  const { runId, sessionId, agentId, modelProvider, modelId, usage } = data
  const asked = { runId, sessionId, agentId, modelProvider, modelId, usage }
  return { project, id, key: `asked:${id}`, due: { asked } }
}

export function dueOfMedia(project: string, { callId: id, ...data }: AskedMedia): NewDue {
  const { agentId, modelProvider, modelId, medium, quantity } = data
  return {
    project,
    id,
    key: `media:${id}`,
    due: { media: { agentId, modelProvider, modelId, medium, quantity } }
  }
}

export function dueOfCall(project: string, { callId, runId, agentId, toolName }: Called): NewDue {
  return {
    project,
    id: runId ?? callId,
    key: `call:${callId}`,
    due: { call: { callId, runId, agentId, toolName } }
  }
}
