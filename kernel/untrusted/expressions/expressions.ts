import { invalid } from '../../contract/errors.ts'
import type { Asker } from '../workers/turns.ts'
import { createWorkerLane } from '../workers/worker-lane.ts'
import { threadOf } from '../workers/worker-start.ts'
import type { ExpressionFault, ExpressionReference, RealmAnswer, RealmQuestion } from './realm.ts'
import { simply } from './simple.ts'

export type { ExpressionFault, ExpressionReference }

/** In characters of JSON, of a template and its context. */
const MAX_QUESTION = 4_194_304

/** Of this process. It starts when it is first asked, and keeps it from no end. */
const lane = createWorkerLane<string, string>({
  start: threadOf(new URL('./worker.ts', import.meta.url), { memoryMb: 192 }),
  lost: () =>
    JSON.stringify({ failure: { limit: true, text: 'It takes too much memory' } } satisfies RealmAnswer),
  tooMany: 'Too many expressions wait',
  most: { ofOwner: 512, ofProject: 2_048 },
  ahead: 4
})

const isWithoutExpressions = (text: string) => !text.includes('{{')

async function ask(by: Asker, question: RealmQuestion, signal?: AbortSignal): Promise<RealmAnswer> {
  const text = JSON.stringify(question)
  if (text.length > MAX_QUESTION)
    return { failure: { limit: true, text: `What it sees is larger than ${MAX_QUESTION} characters` } }
  return JSON.parse(await lane.ask(by, text, signal))
}

/**
 * A template with its expressions evaluated: any JSON value whose strings may hold `{{ … }}`, in JSONata without `$eval`.
 * A string that is one expression alone becomes its value, of whatever type; elsewhere what is no string becomes JSON, and
 * nothing where there is no value. A member of an object without a value is left out. In a worker thread, askers by turns,
 * within 250 ms of the processor, 192 MB, and 256 Ki characters of result. Rejects with `expression_failed` or
 * `expression_limit`, with 429 where too many of the asker's wait, and with the signal's reason.
 */
export async function evaluateTemplate(
  by: Asker,
  template: unknown,
  context: Readonly<Record<string, unknown>>,
  signal?: AbortSignal
): Promise<unknown> {
  signal?.throwIfAborted()
  const simple = simply(template, context)
  if (simple) return simple.value
  const answer = await ask(by, { template, context }, signal)
  if ('failure' in answer) throw failed(answer.failure)
  return 'value' in answer ? answer.value : null
}

/** What is wrong with the expressions of a template, as far as that shows without a context, and what they refer to. */
export async function examineTemplate(
  by: Asker,
  template: unknown,
  signal?: AbortSignal
): Promise<{ faults: readonly ExpressionFault[]; references: readonly ExpressionReference[] }> {
  signal?.throwIfAborted()
  if (isWithoutExpressions(JSON.stringify(template) ?? '')) return { faults: [], references: [] }
  const answer = await ask(by, { template }, signal)
  if ('faults' in answer) return answer
  const { text } = 'failure' in answer ? answer.failure : { text: 'An expression failed' }
  return { faults: [{ at: '', text }], references: [] }
}

const failed = ({ limit, text }: { limit: boolean; text: string }) =>
  invalid('', text, limit ? 'expression_limit' : 'expression_failed')
