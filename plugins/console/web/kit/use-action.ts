import { notifications } from '@mantine/notifications'
import type { QueryKey } from '@tanstack/react-query'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ApiError } from 'agent-platform-client'
import { messageOf } from './error-notice.tsx'

interface Action<V, T> {
  run(input: V): Promise<T>
  /** Queries that are asked anew once it is done. */
  readonly changes?: readonly QueryKey[]
  /** Told when it is done. */
  readonly done?: string | ((result: T, input: V) => string | undefined)
  onDone?(result: T, input: V): void
  /** Its errors are shown beside what was entered, not as a notice. */
  readonly isQuiet?: boolean
}

/** Something that changes things: what it changed is read anew, and what went wrong is told with the request id. */
export function useAction<V = void, T = unknown>({ run, changes = [], done, onDone, isQuiet }: Action<V, T>) {
  const queries = useQueryClient()
  return useMutation<T, unknown, V>({
    mutationFn: run,
    async onSuccess(result, input) {
      await Promise.all(changes.map((queryKey) => queries.invalidateQueries({ queryKey })))
      const message = typeof done === 'function' ? done(result, input) : done
      if (message) notifications.show({ message, color: 'green', autoClose: 3_000 })
      onDone?.(result, input)
    },
    onError(error) {
      if (isQuiet) return
      const id = error instanceof ApiError ? error.requestId : undefined
      const title = 'This did not work'
      const message = id ? `${messageOf(error)} (request ${id})` : messageOf(error)
      notifications.show({ title, message, color: 'red', autoClose: 12_000 })
    }
  })
}
