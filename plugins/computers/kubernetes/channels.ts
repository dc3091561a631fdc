import { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'

const [INPUT, OUTPUT, ERROR_OUTPUT] = [0, 1, 2]
/** Of one message; API servers and what stands before them cut connections with large ones. */
const PIECE = 32_768
/** What stands between cuts connections on which nothing goes. */
const BEAT_MS = 25_000

/**
 * The streams of a program in a pod, by a WebSocket of the API server: what is written goes to its standard input, what is read is
 * its standard output, and `said` hears what it wrote to standard error. The first byte of each message tells which of them it is.
 */
export function channelsOf(socket: WebSocket, said: (bytes: Buffer) => void): Duplex {
  let isOver = false
  let isAnswering = true

  const connection = new Duplex({
    read: () => socket.resume(),
    write(bytes: Buffer, _, done) {
      let left = Math.ceil(bytes.length / PIECE)
      if (left === 0) return done()
      const sent = () => {
        if (--left === 0) done()
      }
      for (let at = 0; at < bytes.length; at += PIECE) {
        const part = bytes.subarray(at, at + PIECE)
        socket.send(Buffer.concat([Buffer.from([INPUT]), part]), { binary: true }, sent)
      }
    },
    final(done) {
      // An end of the input alone is not known here.
      socket.close()
      done()
    },
    destroy(error, done) {
      socket.terminate()
      done(error)
    }
  })
  const over = () => {
    clearInterval(beat)
    if (!isOver) connection.push(null)
    isOver = true
  }
  const beat = setInterval(() => {
    if (!isAnswering) return socket.terminate()
    isAnswering = false
    socket.ping()
  }, BEAT_MS).unref()

  socket.on('pong', () => {
    isAnswering = true
  })
  socket.on('message', (data) => {
    const bytes = data as Buffer
    const [kind] = bytes
    isAnswering = true
    if (isOver || bytes.length <= 1) return
    if (kind === ERROR_OUTPUT) said(bytes.subarray(1))
    else if (kind === OUTPUT && !connection.push(bytes.subarray(1))) socket.pause()
  })
  socket.on('close', over)
  return connection
}
