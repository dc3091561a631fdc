import type { AnyCall } from './call.ts'
import type { AnyInit } from './send.ts'

interface Page {
  readonly data: readonly unknown[]
  readonly nextCursor?: string | null
}

/** All items of a list, a page at a time as they are asked for. */
export async function* itemsOf(
  call: AnyCall,
  path: string,
  init: AnyInit = {}
): AsyncGenerator<unknown, void, void> {
  let query = init.params?.query
  for (;;) {
    const page = (await call('get', path, { ...init, params: { ...init.params, query } })) as Page
    yield* page.data
    if (!page.nextCursor) return
    query = { ...query, cursor: page.nextCursor }
  }
}
