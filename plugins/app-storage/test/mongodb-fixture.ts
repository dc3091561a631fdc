import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { createServer } from 'node:net'
import type { TlsOptions } from 'node:tls'
import { createServer as createTlsServer } from 'node:tls'
import { BSON } from 'mongodb'
import { createCommands } from './commands-fixture.ts'
import type { Doc } from './matching-fixture.ts'

interface Scope {
  teardown(work: () => unknown): unknown
}
/** What happens to a command from now on: nothing, the connection is cut, or that error is answered. */
export type Play = (command: string, body: Doc) => undefined | 'cut' | { code: number; errmsg: string }

const OP_REPLY = 1
const OP_QUERY = 2004
const OP_MSG = 2013
const HEADER = 16

/**
 * A server that speaks MongoDB’s wire protocol as far as the adapter does (`commands-fixture.ts`), over a socket, so that the
 * real driver is used end to end. It keeps documents in memory, one command after the other, with unique indexes.
 * `hello` changes what it says of itself.
 */
export async function mongodbFixture(t: Scope, { hello = {}, tls }: { hello?: Doc; tls?: TlsOptions } = {}) {
  const commands = createCommands(hello)
  const sockets = new Set<Socket>()
  const asked: string[] = []
  let opened = 0
  let play: Play = () => undefined

  function answer(socket: Socket, message: Buffer): void {
    const request = message.readInt32LE(4)
    const code = message.readInt32LE(12)
    const body = code === OP_QUERY ? queryOf(message) : bodyOf(message)
    const name = Object.keys(body)[0] as string
    asked.push(name)
    const played = play(name, body)
    if (played === 'cut') return void socket.destroy()
    const reply = played ? { ok: 0, ...played } : commands.run(name, body)
    const bytes = BSON.serialize(reply, { ignoreUndefined: true })
    // Of a query: flags, cursor, start and count before the document. Of a message: flags, and the kind of its one section.
    const head = code === OP_QUERY ? Buffer.alloc(20) : Buffer.alloc(5)
    if (code === OP_QUERY) head.writeInt32LE(1, 16)
    const header = Buffer.alloc(HEADER)
    header.writeInt32LE(HEADER + head.length + bytes.length, 0)
    header.writeInt32LE(request, 8)
    header.writeInt32LE(code === OP_QUERY ? OP_REPLY : OP_MSG, 12)
    socket.write(Buffer.concat([header, head, bytes]))
  }

  function serve(socket: Socket): void {
    opened++
    sockets.add(socket)
    let left = Buffer.alloc(0)
    socket.on('data', (chunk) => {
      left = Buffer.concat([left, chunk])
      while (left.length >= HEADER && left.length >= left.readInt32LE(0)) {
        const message = left.subarray(0, left.readInt32LE(0))
        left = left.subarray(message.length)
        answer(socket, message)
      }
    })
    socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket))
  }

  const server = tls ? createTlsServer(tls, serve) : createServer(serve)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const close = () => {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
  t.teardown(close)
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: `mongodb://127.0.0.1:${port}/apps?tls=false`,
    /** Documents by the collection that they lie in. */
    documents: commands.documents,
    /** Names of the commands that came. */
    asked,
    connections: () => ({ open: sockets.size, opened }),
    play: (by: Play) => {
      play = by
    },
    close
  }
}

const read = (bytes: Buffer): Doc => BSON.deserialize(bytes, { promoteValues: true })

/** Of the old form, which drivers begin with: flags, a name, two numbers, and the command. */
function queryOf(message: Buffer): Doc {
  const end = message.indexOf(0, HEADER + 4)
  return read(message.subarray(end + 9))
}

/** Sections: the command, and lists of documents that belong to it under a name. */
function bodyOf(message: Buffer): Doc {
  let body: Doc = {}
  const lists: Doc = {}
  for (let at = HEADER + 4; at < message.length; ) {
    const kind = message[at++]
    const size = message.readInt32LE(at)
    const section = message.subarray(at, at + size)
    at += size
    if (kind === 0) body = read(section)
    else {
      const end = section.indexOf(0, 4)
      const list: Doc[] = []
      for (let from = end + 1; from < section.length; from += section.readInt32LE(from))
        list.push(read(section.subarray(from, from + section.readInt32LE(from))))
      lists[section.toString('utf8', 4, end)] = list
    }
  }
  return { ...body, ...lists }
}
