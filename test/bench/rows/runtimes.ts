import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { referenceRuntime } from '../../../plugins/runtimes/test/testbed.ts'
import { noComputers } from '../../computers.ts'
import { startPlatform } from '../platform.ts'
import { median } from '../rounds.ts'
import type { Measure } from '../row.ts'
import { createApi, PACKS } from '../tools.ts'

const REACH_MS = 100

/** A message in a channel, to the first word of the runtime that is awake, which says it at once; and to the answer there. */
export const measure: Measure = async (scope, quick) => {
  const what = 'message in a channel to the first token of its runtime, warm'
  const skip = await noComputers()
  if (skip) return [{ what, reach: 'bubblewrap', measured: `skipped: ${skip}`, met: true }]
  let answered = () => {}
  const theirs = createServer((request, reply) => {
    request.resume().on('end', () => {
      reply.end('{}')
      answered()
    })
  })
  theirs.listen(0, '127.0.0.1')
  await once(theirs, 'listening')
  scope.teardown(() => theirs.close())
  const env = { OUTGOING_ALLOW: '127.0.0.1' }
  const packs = [...PACKS, 'computers', 'runtimes', 'channels']
  const served = await startPlatform(scope, {}, { packs, env })
  const api = createApi(served)
  const headers = { authorization: `Bearer ${served.key}`, 'content-type': 'application/json' }
  const call = async (method: string, path: string, body: object = {}) => {
    const reply = await fetch(served.url + path, { method, headers, body: JSON.stringify(body) })
    if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`)
    return ((await reply.json()) as { data: never }).data
  }
  const { id } = await api.post('/v1/agents', { name: 'Measured' })
  const at = `/v1/agents/${id}`
  await call('PUT', `${at}/computer/config`, { enabled: true, memoryMb: 512 })
  await call('POST', `${at}/computer/files/write`, {
    files: [{ path: 'runtime.mjs', content: await referenceRuntime() }]
  })
  await call('PUT', `${at}/runtime`, { command: ['node', 'runtime.mjs'], minInstances: 1 })
  await call('POST', `${at}/runtime/deploy`)
  for (;;) {
    const reply = await fetch(`${served.url}${at}/runtime`, { headers })
    const { data } = (await reply.json()) as { data: { status: { observed: string } } }
    if (data.status.observed === 'awake') break
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  const url = `http://127.0.0.1:${(theirs.address() as AddressInfo).port}/`
  const { secret, address } = (await call('POST', `${at}/runtime/channels/webhook/connect`, { url })) as {
    secret: string
    address: string
  }
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const first: number[] = []
  const whole: number[] = []
  for (let n = 0; n < (quick ? 10 : 50); n++) {
    const body = JSON.stringify({ conversation: `c${n}`, text: 'hello' })
    const time = String(Math.floor(Date.now() / 1_000))
    const signature = `v1,${createHmac('sha256', key).update(`m${n}.${time}.${body}`).digest('base64')}`
    const over = new Promise<void>((resolve) => {
      answered = resolve
    })
    const begun = Date.now()
    const signed = { 'webhook-id': `m${n}`, 'webhook-timestamp': time, 'webhook-signature': signature }
    await fetch(served.url + new URL(address).pathname, { method: 'POST', headers: signed, body })
    await over
    whole.push(Date.now() - begun)
    const { data } = (await (
      await fetch(`${served.url}/v1/runs?agentId=${id}&limit=1`, { headers })
    ).json()) as {
      data: { id: string }[]
    }
    const stream = await (
      await fetch(`${served.url}/v1/agents/runs/${data[0]?.id}/stream`, { headers })
    ).text()
    const token = stream.split('\n').find((line) => line.includes('"type":"token"'))
    const { at: said } = JSON.parse(token?.slice('data: '.length) ?? '{}') as { at: string }
    first.push(Date.parse(said) - begun)
  }
  const [ms, all] = [median(first), median(whole)]
  const measured = `${ms.toFixed(0)} ms; ${all.toFixed(0)} ms to the answer in the channel`
  return [{ what, reach: `≤ ${REACH_MS} ms`, measured, met: ms <= REACH_MS }]
}
