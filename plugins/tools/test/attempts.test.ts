import { rateLimited, unavailable } from 'agent-platform'
import t from 'tap'
import type { CallOrder, Output } from '../contract.ts'
import { createRedactor } from '../redaction/redactor.ts'
import { createAttempts } from '../services/attempts.ts'
import type { Callable } from '../services/tool-resolver.ts'

const warnings: unknown[] = []
const { attempt } = createAttempts({
  log: { warn: (it: unknown) => warnings.push(it) } as never,
  settings: { toolSeconds: 5 } as never
})
const order = { id: 'call_1', agentId: 'agent_1', args: {}, depth: 0 } as unknown as CallOrder

/** Fails with these one after another, then succeeds. */
async function attempted(errors: readonly Error[], idempotent: boolean, signal?: AbortSignal) {
  let calls = 0
  const call = async (): Promise<Output> => {
    const error = errors[calls++]
    if (error) throw error
    return { output: 'done' }
  }
  const callable = { name: 'shop', idempotent, call } as unknown as Callable
  const invocation = { ...order, toolName: 'shop', ...(signal && { signal }) }
  const made = await attempt(
    callable,
    { ...order, used: () => undefined },
    [],
    createRedactor([]),
    invocation
  )
  return { ...made, calls }
}
const busy = () => unavailable('Busy', { code: 'busy', headers: { 'retry-after': '0' } })

t.test('what has no room now is tried again when there may be some', async (t) => {
  t.match(await attempted([rateLimited(0), busy(), busy(), rateLimited(0)], true), {
    output: 'done',
    calls: 5
  })
})

t.test('not where that might do it twice, nor where nobody says when', async (t) => {
  t.match(await attempted([busy()], false), { output: 'Busy', isError: true, calls: 1 })
  t.match(await attempted([unavailable('Off')], true), { output: 'Off', isError: true, calls: 1 })
})

t.test('nor where its time would be over by then: the reason is told at once', async (t) => {
  t.match(await attempted([rateLimited(60)], true), {
    output: 'Rate limit exceeded. Retry-After: 60',
    isError: true,
    calls: 1
  })
})

t.test('a call that is given up while it waits ends', async (t) => {
  const leave = new AbortController()
  const waiting = attempted([rateLimited(3)], true, leave.signal)
  leave.abort()
  t.match(await waiting, { isError: true, isUnknown: true, output: /was given up/, calls: 1 })
  t.same(warnings, [])
})
