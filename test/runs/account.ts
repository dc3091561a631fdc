import type { Event } from '../../plugins/runs/test/testbed.ts'
import { messagesOf, textOf } from '../../plugins/runs/test/testbed.ts'
import { isLast } from './reader.ts'
import { usage } from './story.ts'
import type { Begun, Town } from './town.ts'

/** A step as its readers know it in the end. */
interface Told {
  /** What was not superseded. */
  text: string
  /** `seq` of its first and last token. */
  from: number
  to: number
  restarts: number
  /** The ids of what it calls. */
  readonly calls: string[]
}

interface Chunk {
  readonly seq: number
  readonly writer: number
  readonly body: string
}

/** What is wrong with a run that came to its end by itself; nothing, if all promises were kept. */
export async function faultsOf({ home, client, model, tools }: Town, { id, story, reader }: Begun) {
  const faults: string[] = []
  const fault = (wrong: boolean, what: string) => void (wrong && faults.push(`${story.name}: ${what}`))
  const events = await reader.over
  const steps = tell(events, fault)
  const asks = model.of(story.name)
  const resumes = events.filter(({ status }) => status === 'resumed')
  const count = (table: string, where: object) =>
    home.platform
      .knex(table)
      .where(where)
      .count({ n: '*' })
      .first()
      .then((row) => Number(row?.n))

  fault(!events.every(({ seq }, index) => seq === index), 'seq has gaps')
  fault(!events.every(({ runId }) => runId === id), 'an event of another run')
  fault(events.filter(isLast).length !== 1 || events.at(-1)?.type !== 'final', `ended with ${ended(events)}`)

  // What the model was asked, and what it was told.
  fault(steps.size !== story.calls.length + 1, `${steps.size} steps`)
  fault(asks.length > steps.size + resumes.length, `${asks.length} requests after ${resumes.length} resumes`)
  fault(
    !asks.every(({ step }, index) => step >= (asks[index - 1]?.step ?? 1)),
    'a finished step was asked again'
  )
  for (const [step, { text, restarts }] of steps) {
    const last = asks.findLast((ask) => ask.step === step)
    fault(text !== last?.text, `step ${step} says ${text}, the model ${last?.text}`)
    fault(restarts > 0 && story.wander === undefined, `step ${step} restarted though nothing differs`)
  }

  // Calls of tools.
  const begun = events.filter(({ type }) => type === 'toolStart')
  const asked = new Set(events.filter(({ type }) => type === 'cli_tool_request').map(({ callId }) => callId))
  const hits = tools.of(id)
  fault(begun.length !== story.calls.flat().length, `${begun.length} calls`)
  fault(!hits.every((hit) => begun.some(({ callId }) => callId === hit)), 'a call that nobody heard of')
  for (const { callId, toolName } of begun) {
    const ends = events.filter((event) => event.type === 'toolEnd' && event.callId === callId)
    const made = hits.filter((hit) => hit === callId).length
    const [end] = ends
    fault(ends.length !== 1, `${toolName} ended ${ends.length} times`)
    if (end?.isError) {
      fault(toolName === 'again' || !/unknown/.test(String(end.output)), `${toolName} failed: ${end.output}`)
      fault(made > 1, `${toolName} called ${made} times`)
    } else if (asked.has(callId)) {
      fault(end?.output !== `answered ${callId}`, `the caller gave ${end?.output}`)
    } else {
      fault(end?.output !== `done ${callId}`, `${toolName} gave ${end?.output}`)
      fault(made < 1 || (made > 1 && (toolName === 'once' || made > 1 + resumes.length)), `${made} calls`)
    }
    fault(
      !asks.some(({ results }) => results.includes(`<untrusted>\n${end?.output}\n</untrusted>`)),
      'an outcome that the model was not told'
    )
  }

  // What is left of it.
  const { data: run } = (await client.get(`/v1/agents/runs/${id}`)).body
  const final = events.at(-1)
  const answer = steps.get(steps.size)?.text
  fault(run?.status !== 'completed', `the record says ${run?.status}`)
  fault(textOf(events) !== answer, `readers make ${textOf(events)} of it`)
  fault(final?.content !== answer || run?.content !== answer, `final says ${final?.content}, not ${answer}`)
  const { inputTokens, outputTokens } = run?.usage ?? {}
  fault(
    inputTokens !== steps.size * usage.inputTokens || outputTokens !== steps.size * usage.outputTokens,
    `${inputTokens}, ${outputTokens} tokens`
  )
  const messages = await messagesOf(client, run.sessionId)
  const said = messages.filter(({ runId }) => runId === id).map(({ role, content }) => `${role}: ${content}`)
  const meant = [`user: ${JSON.stringify(story)}`]
  for (const { text, calls } of steps.values()) {
    meant.push(`assistant: ${text}`)
    for (const call of calls) {
      const end = events.find(({ type, callId }) => type === 'toolEnd' && callId === call)
      meant.push(`tool: ${end?.output}`)
    }
  }
  fault(said.join('\n') !== meant.join('\n'), `the session has\n${said.join('\n')}`)
  for (const name of ['runs.started', 'runs.completed'])
    fault((await count('kernel.fact', { name, subject: id })) !== 1, `not one ${name}`)

  // Each new owner says so first.
  const chunks: Chunk[] = await home.platform.knex('kernel.stream_chunk').where({ stream: id }).orderBy('seq')
  for (const [index, { writer, body }] of chunks.entries()) {
    const before = chunks[index - 1]?.writer ?? writer
    if (writer !== before)
      fault(!/^\{"type":"status",.*"status":"(resumed|running)"/.test(body), `took over with ${body}`)
  }
  const attempts = resumes.map(({ attempt }) => attempt)
  fault(
    !attempts.every((attempt, index) => Number(attempt) > (attempts[index - 1] ?? 1)),
    `attempts ${attempts}`
  )
  return faults
}

const ended = (events: readonly Event[]) => JSON.stringify(events.filter(isLast))

/** What the statuses of a run say of its way: which text precedes a call is no part of that. */
export const statusesOf = (events: readonly Event[]) =>
  events.flatMap(({ status }) => (status && status !== 'commentary' ? [status] : []))

/** The steps of a run from its events. */
function tell(events: readonly Event[], fault: (wrong: boolean, what: string) => void) {
  const steps = new Map<number, Told>()
  for (const event of events) {
    const now = steps.get(steps.size)
    if (event.type === 'agent_step') {
      fault(event.step !== steps.size + 1, `step ${event.step} after ${steps.size}`)
      steps.set(Number(event.step), { text: '', from: -1, to: -1, restarts: 0, calls: [] })
    } else if (event.type === 'toolStart') {
      now?.calls.push(String(event.callId))
    } else if (event.type === 'token' && now) {
      now.text += event.content
      now.from = now.from < 0 ? event.seq : now.from
      now.to = event.seq
    } else if (event.status === 'restarted' && now) {
      const { from, to } = event.supersedes ?? { from: -1, to: -1 }
      fault(event.step !== steps.size, `step ${event.step} restarted in ${steps.size}`)
      fault(from !== now.from || to !== now.to, `supersedes ${from} to ${to}, not ${now.from} to ${now.to}`)
      Object.assign(now, { text: '', from: -1, to: -1, restarts: now.restarts + 1 })
    }
  }
  return steps
}
