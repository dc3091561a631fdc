import { createHmac, generateKeyPairSync, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'

interface Scope {
  teardown(work: () => unknown): unknown
}
export interface Asked {
  readonly path: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  // biome-ignore lint/suspicious/noExplicitAny: services are asked for anything
  readonly body: any
}
interface Reply {
  readonly status?: number
  readonly headers?: Record<string, string>
  readonly body?: object
}

/** A service on loopback that answers as it is told, and keeps what it was asked. */
export async function service(t: Scope, answer: (asked: Asked) => Reply) {
  const asked: Asked[] = []
  const server = createHttpServer(async (request, reply) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const text = Buffer.concat(parts).toString()
    const it = {
      path: request.url ?? '',
      headers: request.headers,
      body: text ? JSON.parse(text) : undefined
    }
    asked.push(it)
    const { status = 200, headers = {}, body = {} } = answer(it)
    reply.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

/** A server that takes mail. */
export async function mailServer(t: Scope) {
  const mails: string[] = []
  const server = createServer((socket) => {
    let isData = false
    let text = ''
    socket.write('220 mail ESMTP\r\n')
    socket.on('error', () => socket.destroy())
    socket.on('data', (bytes) => {
      text += bytes.toString()
      for (;;) {
        const end = isData ? text.indexOf('\r\n.\r\n') : text.indexOf('\r\n')
        if (end < 0) return
        const line = text.slice(0, end)
        text = text.slice(end + (isData ? 5 : 2))
        if (isData) {
          mails.push(line)
          isData = false
          socket.write('250 taken\r\n')
        } else if (/^EHLO/i.test(line)) socket.write('250-mail\r\n250 SIZE 1000000\r\n')
        else if (/^DATA/i.test(line)) {
          isData = true
          socket.write('354 go on\r\n')
        } else if (/^QUIT/i.test(line)) socket.end('221 bye\r\n')
        else socket.write('250 ok\r\n')
      }
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  return { port: (server.address() as AddressInfo).port, mails }
}

const now = () => String(Math.floor(Date.now() / 1_000))

export function signedWebhook(secret: string, id: string, body: string, time = now()) {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const signature = `v1,${createHmac('sha256', key).update(`${id}.${time}.${body}`).digest('base64')}`
  return { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signature }
}

export function signedSlack(secret: string, body: string, time = now()) {
  const signature = `v0=${createHmac('sha256', secret).update(`v0:${time}:${body}`).digest('hex')}`
  return { 'x-slack-request-timestamp': time, 'x-slack-signature': signature }
}

/** A key of an application of Discord, and its signatures. */
export function discordKey() {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const der = publicKey.export({ format: 'der', type: 'spki' })
  return {
    publicKey: der.subarray(-32).toString('hex'),
    signed: (body: string, time = now()) => ({
      'x-signature-timestamp': time,
      'x-signature-ed25519': sign(null, Buffer.from(time + body), privateKey).toString('hex')
    })
  }
}
