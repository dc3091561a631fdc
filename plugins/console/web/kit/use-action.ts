import { notifications } from '@mantine/notifications'
import type { QueryKey } from '@tanstack/react-query'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ApiError } from 'agent-platform-client'
import { messageOf } from './error-notice.tsx'
import { withoutAsking } from './unsaved.tsx'

interface Action<V, T> {
  run(input: V): Promise<T>
  /** Queries that are asked anew once it is done. */
  readonly changes?: readonly QueryKey[]
  /** Told when it is done. */
  readonly done?: string | ((result: T, input: V) => string | undefined)
  onDone?(result: T, input: V): void
  /** The draft that it saves. */
  readonly draft?: { readonly value: object; done(sent: never): void }
  /** Its errors are shown beside what was entered, not as a notice. */
  readonly isQuiet?: boolean
}

/** Something that changes things: what it changed is read anew, and what went wrong is told with the request id. */
export function useAction<V = void, T = unknown>(action: Action<V, T>) {
  const { run, changes = [], done, onDone, draft, isQuiet } = action
  const queries = useQueryClient()
  const readAgain = () => Promise.all(changes.map((queryKey) => queries.invalidateQueries({ queryKey })))
  return useMutation<T, unknown, V, { sent: object | undefined }>({
    mutationFn: run,
    onMutate: () => ({ sent: draft?.value }),
    async onSuccess(result, input, { sent }) {
      await readAgain()
      draft?.done(sent as never)
      const message = typeof done === 'function' ? done(result, input) : done
      if (message) notifications.show({ message, color: 'green', autoClose: 3_000 })
      withoutAsking(() => onDone?.(result, input))
    },
    async onError(error) {
      // The draft shows what somebody else saved meanwhile.
      if (draft && error instanceof ApiError && error.status === 412) return void (await readAgain())
      if (isQuiet) return
      const id = error instanceof ApiError ? error.requestId : undefined
      const title = 'This did not work'
      const message = id ? `${messageOf(error)} (request ${id})` : messageOf(error)
      notifications.show({ title, message, color: 'red', autoClose: 12_000 })
    }
  })
}
