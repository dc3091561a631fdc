import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from 'agent-platform/console'
import { useEffect, useState } from 'react'
import { executionQuery, hasEnded } from './queries.ts'

/** Many events come together: what they change is read once. */
const GATHERED = 150

/** An execution, read anew with each event of its stream until it has ended. */
export function useLiveExecution(workflowId: string, executionId: string) {
  const queries = useQueryClient()
  const execution = useQuery(executionQuery(workflowId, executionId))
  const [error, setError] = useState<unknown>()
  const isUnderWay = execution.data !== undefined && !hasEnded(execution.data.status)

  useEffect(() => {
    if (!isUnderWay) return
    const leaving = new AbortController()
    let reading: ReturnType<typeof setTimeout> | undefined
    const { queryKey } = executionQuery(workflowId, executionId)
    async function follow() {
      const { signal } = leaving
      for await (const _ of api.executions.follow(workflowId, executionId, { signal }))
        reading ??= setTimeout(() => {
          reading = undefined
          queries.invalidateQueries({ queryKey })
        }, GATHERED)
    }
    follow().catch((error) => leaving.signal.aborted || setError(error))
    return () => {
      leaving.abort()
      clearTimeout(reading)
    }
  }, [isUnderWay, workflowId, executionId, queries])

  return { execution, error }
}
