import { once } from 'node:events'
import type { Socket } from 'node:net'
import { connect } from 'node:net'
import type { ReadersOrder } from '../rows/streams.ts'
import { answer } from './answers.ts'

const AT_ONCE = 64
const open = new Set<Socket>()

/** Resolves when the stream's first event has come. */
async function follow(url: string, key: string, id: string): Promise<void> {
  const { hostname, port } = new URL(url)
  const socket = connect({ port: Number(port), host: hostname })
  open.add(socket)
  socket.once('close', () => open.delete(socket))
  await once(socket, 'connect')
  socket.write(
    `GET /v1/quiet/${id}/events HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${key}\r\n\r\n`
  )
  let text = ''
  await new Promise<void>((resolve, reject) => {
    socket.once('close', () => reject(new Error(`A stream was not served: ${text.slice(0, 300)}`)))
    socket.on('data', (bytes) => {
      if (text.includes('"began"')) return
      text += bytes.toString('latin1')
      if (text.includes('"began"')) resolve()
    })
  })
}

async function followAll({ url, key, ids }: ReadersOrder): Promise<number> {
  const left = [...ids]
  const work = async () => {
    for (let id = left.pop(); id !== undefined; id = left.pop()) await follow(url, key, id)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return open.size
}

async function leave(): Promise<void> {
  const closed = [...open].map((socket) => once(socket, 'close'))
  for (const socket of open) socket.destroy()
  await Promise.all(closed)
}

answer({ start() {}, follow: followAll, count: () => open.size, leave })
