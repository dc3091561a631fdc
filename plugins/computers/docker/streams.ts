import { Duplex } from 'node:stream'

const HEAD = 8
const [OUTPUT, ERROR_OUTPUT] = [1, 2]

/**
 * The connection of a container without a terminal: what is written goes to its standard input, what is read is its standard
 * output, and `said` hears what it wrote to standard error. The daemon puts eight bytes before each piece: which of them it is,
 * and how long.
 */
export function demultiplex(socket: Duplex, said: (bytes: Buffer) => void): Duplex {
  let head = Buffer.alloc(0)
  let kind = 0
  let left = 0
  let isOver = false

  const connection = new Duplex({
    read: () => void socket.resume(),
    write: (bytes, _, done) => void socket.write(bytes, done),
    final: (done) => void socket.end(done),
    destroy(error, done) {
      socket.destroy()
      done(error)
    }
  })
  const over = () => {
    if (!isOver) connection.push(null)
    isOver = true
  }

  function take(bytes: Buffer): void {
    for (let at = 0; at < bytes.length; ) {
      if (left === 0) {
        const missing = HEAD - head.length
        head = Buffer.concat([head, bytes.subarray(at, at + missing)])
        at += missing
        if (head.length < HEAD) return
        kind = head.readUInt8(0)
        left = head.readUInt32BE(4)
        head = Buffer.alloc(0)
        continue
      }
      const part = bytes.subarray(at, at + left)
      at += part.length
      left -= part.length
      if (kind === ERROR_OUTPUT) said(part)
      else if (kind === OUTPUT && !isOver && !connection.push(part)) socket.pause()
    }
  }

  socket.on('data', take)
  socket.on('end', over)
  socket.on('close', over)
  socket.on('error', over)
  return connection
}
