import { queryOptions } from '@tanstack/react-query'
import { api } from 'agent-platform/console'
import type { Execution, Schemas } from 'agent-platform-client'

export type ExecutionStep = Execution['steps'][number]
export type WaitingStep = Schemas['WaitingStep']
export type ExecutionStatus = Execution['status']

/** Queries of workflows: by `['workflows']` all of them are read anew, with their executions. */
export const workflowQuery = (workflowId: string) =>
  queryOptions({
    queryKey: ['workflows', workflowId],
    async queryFn({ signal }) {
      const reply = await api.get('/v1/workflows/{id}', { params: { path: { id: workflowId } }, signal })
      // As text it is asked for by `?format=` alone.
      if (typeof reply === 'string') throw new Error('The platform answered with a flowchart')
      return reply.data
    }
  })

export const executionQuery = (workflowId: string, executionId: string) =>
  queryOptions({
    queryKey: ['workflows', workflowId, 'executions', executionId],
    queryFn: async ({ signal }) =>
      (
        await api.get('/v1/workflows/{id}/executions/{executionId}', {
          params: { path: { id: workflowId, executionId } },
          signal
        })
      ).data
  })

export const versionQuery = (workflowId: string, version: number) =>
  queryOptions({
    queryKey: ['workflows', workflowId, 'versions', version],
    queryFn: async ({ signal }) =>
      (
        await api.get('/v1/workflows/{id}/versions/{version}', {
          params: { path: { id: workflowId, version } },
          signal
        })
      ).data,
    // It never changes.
    staleTime: Number.POSITIVE_INFINITY
  })

export const readWaiting = (limit: number, cursor: string | undefined, signal: AbortSignal) =>
  api.get('/v1/workflows/waiting', { params: { query: { limit, cursor } }, signal })

/** What a step that waits asks for, in one line. */
export function askedBy({ type, input, path }: Pick<WaitingStep, 'type' | 'input' | 'path'>): string {
  const { message, event } = Object(input) as { message?: unknown; event?: unknown }
  if (type === 'wait') return `Event ${event}`
  return typeof message === 'string' && message !== '' ? message : path
}

export const webhookQuery = (workflowId: string) =>
  queryOptions({
    queryKey: ['workflows', workflowId, 'webhook'],
    queryFn: async ({ signal }) =>
      (await api.get('/v1/workflows/{id}/webhook', { params: { path: { id: workflowId } }, signal })).data
  })

export const hasEnded = (status: ExecutionStatus) => ['completed', 'failed', 'cancelled'].includes(status)
