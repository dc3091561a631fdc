import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import type { Reply } from './script.ts'
import { usageOf } from './whole.ts'

/** Characters in one write: so many that the system calls cost nothing beside the tokens. */
const BATCH = 16_384

/** Says a reply as server-sent events, as fast as they are taken when there is no delay. */
export async function stream(response: ServerResponse, reply: Reply): Promise<void> {
  const { id, body, script, speech, calls } = reply
  const { faults } = script
  const created = Math.floor(Date.now() / 1000)
  const chunk = `data: {"id":"${id}","object":"chat.completion.chunk","created":${created},"model":${JSON.stringify(body.model)}`
  const head = `${chunk},"choices":[{"index":0,"delta":`
  const tail = ',"finish_reason":null}]}\n\n'
  const event = (delta: object) => head + JSON.stringify(delta) + tail
  const content = (token: string) => `${head}{"content":${JSON.stringify(token)}}${tail}`

  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' })
  if (faults.rubbish !== undefined) return void response.end(rubbish(faults.rubbish))
  response.write(event({ role: 'assistant', content: '' }))

  const thought = event({ reasoning_content: 'hm ' })
  await each(response, script.delay, script.reasoning, () => thought)
  for (const [index, { id, name, args }] of calls.entries()) {
    const pieces = args.match(/[\s\S]{1,12}/g) ?? []
    response.write(
      event({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] })
    )
    await each(response, script.delay, pieces.length, (i) =>
      event({ tool_calls: [{ index, function: { arguments: pieces[i] } }] })
    )
  }
  if (calls.length === 0) {
    const stop = Math.min(
      speech.count,
      faults.cutAt ?? Number.POSITIVE_INFINITY,
      faults.errorAt ?? Number.POSITIVE_INFINITY,
      faults.hangAt ?? (faults.hang === 'body' ? 0 : Number.POSITIVE_INFINITY)
    )
    const only = speech.only === undefined ? undefined : content(speech.only)
    const token = only === undefined ? (i: number) => content(speech.token(i)) : () => only
    reply.said(await each(response, script.delay, stop, token))
    if (response.destroyed) return
    if (stop === faults.cutAt) return void response.write(':\n\n', () => reply.cut())
    if (stop === faults.errorAt) return void response.end(`data: ${JSON.stringify(failure)}\n\n`)
    if (stop < speech.count) return void (await once(response, 'close'))
  }
  if (response.destroyed) return
  const finish = script.finish ?? (calls.length > 0 ? 'tool_calls' : 'stop')
  let end = `${head}{},"finish_reason":"${finish}"}]}\n\n`
  if (script.usage && body.stream_options?.include_usage)
    end += `${chunk},"choices":[],"usage":${JSON.stringify(usageOf(reply))}}\n\n`
  response.end(`${end}data: [DONE]\n\n`)
}

const failure = { error: { message: 'The model fell over', type: 'server_error', code: 'overloaded' } }

function rubbish(kind: string): string {
  if (kind === 'html') return '<!doctype html>\n<html><body><h1>It works!</h1></body></html>\n'
  if (kind === 'json') return 'data: {"choices":[{"index":0,"delta":{"content":"half a\n\n'
  if (kind === 'huge')
    return `data: {"choices":[{"index":0,"delta":{"content":"${'a'.repeat(5 << 20)}"}}]}\n\n`
  return '\u0000\u0001what is this\n\nno event at all\n\n'.repeat(10)
}

/** Writes `count` pieces, and how many were written before the client left. */
async function each(
  response: ServerResponse,
  delay: number,
  count: number,
  piece: (i: number) => string
): Promise<number> {
  let i = 0
  while (i < count && !response.destroyed) {
    let text = piece(i++)
    if (delay === 0) while (i < count && text.length < BATCH) text += piece(i++)
    if (!response.write(text) && !response.destroyed) await drained(response)
    if (delay > 0 && i < count) await wait(delay)
  }
  return i
}

const drained = (response: ServerResponse) =>
  new Promise<void>((resolve) => {
    const done = () => {
      response.off('drain', done).off('close', done)
      resolve()
    }
    response.on('drain', done).on('close', done)
  })
