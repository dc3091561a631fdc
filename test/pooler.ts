import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { createServer } from 'node:net'
import pg from 'pg'
import type { Connection } from './database.ts'

interface Scope {
  teardown(work: () => unknown): unknown
}

const SSL_REQUEST = 80_877_103
/** Authenticated; key data; ready. */
const WELCOME = Buffer.from('520000000800000000' + '4b0000000c0000000100000001' + '5a0000000549', 'hex')
const [READY, IDLE, TERMINATE] = ['Z', 'I', 'X'].map((letter) => letter.charCodeAt(0))

/**
 * What PgBouncer is in transaction mode: each transaction of a client gets whichever connection of the server is free,
 * the one that was used last first, and nobody hears what a connection says in between.
 */
export async function transactionPooler(t: Scope, connection: Connection): Promise<Connection> {
  const idle: Line[] = []
  const open: pg.Client[] = []

  interface Line {
    readonly socket: Socket
    /** Whose transaction it carries, and what tells him that it has ended. */
    user: { readonly client: Socket; release(): void } | undefined
  }

  async function connect(): Promise<Line> {
    const server = new pg.Client(connection) as pg.Client & { connection: { stream: Socket } }
    await server.connect()
    server.on('error', () => undefined)
    open.push(server)
    const { stream: socket } = server.connection
    const line: Line = { socket, user: undefined }
    socket.removeAllListeners('data').on(
      'data',
      framed((frame) => {
        const { user } = line
        if (frame[0] === READY && frame[5] === IDLE) {
          user?.release()
          line.user = undefined
          idle.push(line)
        }
        user?.client.write(frame)
      })
    )
    socket.on('close', () => line.user?.client.destroy())
    return line
  }

  function serve(client: Socket): void {
    let line: Promise<Line> | undefined
    const release = () => {
      line = undefined
    }
    const send = framed((frame) => {
      if (frame[0] === TERMINATE) return client.end()
      line ??= Promise.resolve(idle.pop() ?? connect()).then((given) => {
        given.user = { client, release }
        return given
      })
      void line.then(({ socket }) => socket.write(frame))
    })
    let isWelcome = false
    client
      .on('error', () => undefined)
      .on('data', (chunk: Buffer) => {
        if (isWelcome) return send(chunk)
        if (chunk.readInt32BE(4) === SSL_REQUEST) return void client.write('N')
        isWelcome = true
        client.write(WELCOME)
      })
  }

  const server = createServer(serve).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const clients = new Set<Socket>()
  server.on('connection', (client) => clients.add(client))
  t.teardown(() => {
    for (const client of clients) client.destroy()
    for (const { connection } of open as (pg.Client & { connection: { stream: Socket } })[])
      connection.stream.destroy()
    server.close()
  })
  return { ...connection, host: '127.0.0.1', port: (server.address() as AddressInfo).port }
}

/** Calls with each whole message of the protocol: a letter, a length, and the rest. */
function framed(hear: (frame: Buffer) => void): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0)
  return (chunk) => {
    rest = Buffer.concat([rest, chunk])
    while (rest.length >= 5 && rest.length > rest.readInt32BE(1)) {
      const length = 1 + rest.readInt32BE(1)
      hear(rest.subarray(0, length))
      rest = rest.subarray(length)
    }
  }
}
