import { useQueryClient } from '@tanstack/react-query'
import { api } from 'agent-platform/console'
import type { TaskEvent } from 'agent-platform-client'
import { useEffect, useState } from 'react'

type StatusEvent = Extract<TaskEvent, { type: 'status' }>

/** Of the words of an agent the last ones. */
const KEPT = 8_000

/** Follows the newest run of a task, and what its agent says; the task is read anew with each change. */
export function useTaskProgress(taskId: string) {
  const queries = useQueryClient()
  const [latest, setLatest] = useState<StatusEvent>()
  const [error, setError] = useState<unknown>()
  const runId = latest?.status === 'running' ? latest.runId : undefined
  const said = useWords(runId)

  useEffect(() => {
    const leaving = new AbortController()
    async function follow() {
      for await (const event of api.tasks.follow(taskId, { signal: leaving.signal })) {
        if (event.type === 'status') setLatest(event)
        queries.invalidateQueries({ queryKey: ['tasks', taskId] })
      }
    }
    follow().catch((error) => leaving.signal.aborted || setError(error))
    return () => leaving.abort()
  }, [taskId, queries])

  return { latest, said, error }
}

/** What the agent of a run has said so far; a run that cannot be followed says nothing here. */
function useWords(runId: string | undefined): string {
  const [words, setWords] = useState('')
  useEffect(() => {
    setWords('')
    if (!runId) return
    const leaving = new AbortController()
    async function follow(runId: string) {
      for await (const event of api.runs.follow(runId, { signal: leaving.signal }))
        if (event.type === 'token') setWords((before) => (before + event.content).slice(-KEPT))
    }
    follow(runId).catch(() => undefined)
    return () => leaving.abort()
  }, [runId])
  return words
}
