import OpenAI from 'openai'
import type { Manner } from '../models.ts'
import { nameOf, startModel } from '../models.ts'
import { inTurns, median, ROUNDS } from '../rounds.ts'
import type { Measure } from '../row.ts'
import { startRuns } from '../runners.ts'

const manner: Manner = { tokens: 3, delay: 10 }
const REACH = 5

/** Milliseconds until the official client has the first text of an answer, the median of so many. */
async function firstToken(client: OpenAI, model: string, count: number): Promise<number> {
  const took: number[] = []
  for (let asked = 0; asked < count; asked++) {
    const begun = performance.now()
    const messages = [{ role: 'user' as const, content: 'Say what there is to say.' }]
    let first: number | undefined
    for await (const { choices } of await client.chat.completions.create({ model, messages, stream: true }))
      if (choices[0]?.delta.content) first ??= performance.now() - begun
    if (first === undefined) throw new Error('There was no text')
    took.push(first)
  }
  return median(took)
}

/** What it takes longer to ask an agent than to ask its model, both by the official client. */
export const measure: Measure = async (scope, quick) => {
  const model = await startModel(scope)
  const ours = await startRuns(scope, model, undefined, ['openai'])
  const { agentId } = await ours.body(manner)
  const behind = new OpenAI({ baseURL: model.url, apiKey: 'none' })
  const client = new OpenAI({ baseURL: `${ours.url}/openai/v1`, apiKey: ours.key as string })
  const warm = quick ? 200 : 600
  await firstToken(behind, nameOf({ ...manner, delay: 1 }), warm)
  await firstToken(client, agentId, warm)
  const rounds = await inTurns(
    quick ? 3 : ROUNDS,
    () => firstToken(client, agentId, 50),
    () => firstToken(behind, nameOf(manner), 50)
  )
  const added = median(rounds.map(([here, there]) => here - there))
  const each = [0, 1].map((side) => median(rounds.map((pair) => pair[side] as number)).toFixed(2))
  return [
    {
      what: 'the official `openai` client against an agent and against its model: first token',
      reach: `≤ ${REACH} ms more`,
      measured: `${added.toFixed(2)} ms (${each.join(' − ')})`,
      met: added <= REACH
    }
  ]
}
