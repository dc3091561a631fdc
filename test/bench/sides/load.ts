import { once } from 'node:events'
import type { Socket } from 'node:net'
import { connect } from 'node:net'
import { createHistogram } from 'node:perf_hooks'
import type { LoadOrder, LoadResult } from '../load.ts'
import { answer } from './answers.ts'

/** Requests over connections that are kept, each sending its next one when the reply is there. */
async function run({
  url,
  key,
  paths,
  bodies,
  connections,
  requests,
  seconds,
  rate
}: LoadOrder): Promise<LoadResult> {
  const { hostname, port } = new URL(url)
  const authorization = key ? `authorization: Bearer ${key}\r\n` : ''
  const head = (method: string, path: string | undefined) =>
    `${method} ${path} HTTP/1.1\r\nhost: ${hostname}\r\n${authorization}`
  const texts =
    bodies?.map((body, index) => {
      const text = JSON.stringify(body)
      const type = `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n`
      return `${head('POST', paths[index % paths.length])}${type}\r\n${text}`
    }) ?? paths.map((path) => `${head('GET', path)}\r\n`)
  const latency = createHistogram()
  const until = seconds === undefined ? Number.POSITIVE_INFINITY : performance.now() + seconds * 1_000
  const most = requests ?? Number.POSITIVE_INFINITY
  const startedAt = performance.now()
  let sent = 0
  let failed = 0
  let failure: string | undefined
  const fail = (why: string) => {
    failed++
    failure ??= why
  }

  async function converse(): Promise<void> {
    while (sent < most && performance.now() < until) {
      const socket = connect({ port: Number(port), host: hostname, noDelay: true })
      socket.on('error', () => undefined)
      await Promise.race([once(socket, 'connect'), once(socket, 'close')])
      if (socket.destroyed || !(await exchange(socket))) fail('the connection was cut')
      socket.destroy()
    }
  }

  /** False when the connection ended while a reply was awaited. */
  function exchange(socket: Socket): Promise<boolean> {
    return new Promise((resolve) => {
      let text = ''
      let sentAt = 0
      const next = () => {
        if (sent >= most || performance.now() >= until) return resolve(true)
        // What is due is late from then on, whether a connection was free for it or not.
        sentAt = rate === undefined ? performance.now() : startedAt + (sent * 1_000) / rate
        const text = texts[sent++ % texts.length] as string
        const wait = sentAt - performance.now()
        if (wait <= 0) socket.write(text, 'latin1')
        else setTimeout(() => socket.write(text, 'latin1'), wait)
      }
      socket.once('close', () => resolve(false))
      socket.on('data', (bytes) => {
        text += bytes.toString('latin1')
        const end = endOf(text)
        if (end === undefined || text.length < end) return
        latency.record(Math.max(1, Math.round((performance.now() - sentAt) * 1_000)))
        if (!/^HTTP\/1\.1 20[0-2] /.test(text)) fail(text.slice(0, 500))
        text = text.slice(end)
        next()
      })
      next()
    })
  }

  await Promise.all(Array.from({ length: connections }, converse))
  const ms = performance.now() - startedAt
  const at = (percentile: number) => latency.percentile(percentile) / 1_000
  return { requests: sent, failed, failure, ms, p50: at(50), p99: at(99), max: latency.max / 1_000 }
}

/** Where the first reply ends; undefined while its head is not there. */
function endOf(text: string): number | undefined {
  const head = text.indexOf('\r\n\r\n')
  if (head < 0) return undefined
  const length = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, head))?.[1]
  return head + 4 + Number(length ?? 0)
}

answer({ start() {}, run })
