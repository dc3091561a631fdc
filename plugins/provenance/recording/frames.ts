import { hash } from 'node:crypto'
import type { RunRecord } from '../../runs/contract.ts'
import type { Item } from './items.ts'

/**
 * The events of a run, from which what its model and its tools said is cut out: each is the text of a JSON object, in which
 * `{ "$text": [step, from, to] }` stands for a part of what the model said in that step, `{ "$args": id }` and
 * `{ "$result": id }` for those of a call. A value whose recorded form has other bytes stays as it is. Step 0 is the answer.
 */
export function eventsItem(run: RunRecord, log: string): Item {
  const texts = new Map(run.replies.map(({ step, parts }) => [step, textOf(parts)]))
  const calls = new Map(run.calls.map((call) => [call.id, call]))
  const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)
  let step = 0
  let at = 0

  const spoken = (content: unknown): unknown => {
    const text = texts.get(step) ?? run.content ?? ''
    if (typeof content !== 'string' || !text.startsWith(content, at)) return content
    const from = at
    at += content.length
    return { $text: [texts.has(step) ? step : 0, from, at] }
  }

  function frameOf(line: string): string {
    const event = JSON.parse(line)
    // Not the bytes that would come back.
    if (JSON.stringify(event) !== line || isAmbiguous(event)) return JSON.stringify({ $line: line })
    const call = calls.get(event.callId)
    if (event.type === 'agent_step') [step, at] = [event.step, 0]
    if (event.status === 'restarted') at = 0
    if (event.type === 'token' && event.phase === 'final_answer') event.content = spoken(event.content)
    if (event.type === 'final' && event.content === run.content)
      event.content = { $text: [0, 0, event.content.length] }
    if (event.type === 'toolStart' && call && isSame(event.args, call.args)) event.args = { $args: call.id }
    if (event.type === 'toolEnd' && call && isSame(event.output, call.output))
      event.output = { $result: call.id }
    return JSON.stringify(event)
  }

  return { type: 'events', id: run.id, sha256: hash('sha256', log), frames: log.split('\n').map(frameOf) }
}

/** Whether something in it would be taken for a stand-in. */
const isAmbiguous = (event: Readonly<Record<string, unknown>>): boolean =>
  '$line' in event ||
  [event.content, event.args, event.output].some(
    (value) =>
      typeof value === 'object' &&
      value !== null &&
      ['$text', '$args', '$result'].some((name) => name in value)
  )

const textOf = (parts: readonly object[]): string =>
  parts.map((part) => ('text' in part && 'type' in part && part.type === 'text' ? part.text : '')).join('')
