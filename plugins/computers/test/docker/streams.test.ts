// tier: whole
import { duplexPair } from 'node:stream'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { demultiplex } from '../../docker/streams.ts'

const piece = (kind: number, content: string) => {
  const head = Buffer.alloc(8)
  head.writeUInt8(kind, 0)
  head.writeUInt32BE(Buffer.byteLength(content), 4)
  return Buffer.concat([head, Buffer.from(content)])
}

t.test('pieces come whole, however they are cut, and errors apart', async (t) => {
  const all = Buffer.concat([
    piece(1, 'one '),
    piece(2, 'oh'),
    piece(1, ''),
    piece(1, 'two'),
    piece(3, 'what'),
    piece(2, ' no')
  ])
  for (const size of [1, 3, 7, 9, all.length]) {
    const [socket, daemon] = duplexPair()
    let said = ''
    const connection = demultiplex(socket, (bytes) => {
      said += bytes
    })
    for (let at = 0; at < all.length; at += size) daemon.write(all.subarray(at, at + size))
    daemon.end()
    t.equal(await text(connection), 'one two', `in pieces of ${size}`)
    t.equal(said, 'oh no')
  }
})

t.test('what is written goes in as it is, and a connection that is cut is at its end', async (t) => {
  const [socket, daemon] = duplexPair()
  const connection = demultiplex(socket, () => undefined)
  const heard = text(daemon)
  connection.write('in')
  connection.end('put')
  t.equal(await heard, 'input')

  const [cut, other] = duplexPair()
  const read = text(demultiplex(cut, () => undefined))
  other.write(piece(1, 'begun'))
  setImmediate(() => cut.destroy())
  t.equal(await read, 'begun')
})

t.test('a reader that is slow holds the daemon back', async (t) => {
  const [socket, daemon] = duplexPair({ highWaterMark: 1_024 })
  const connection = demultiplex(socket, () => undefined)
  let written = 0
  const most = 10_000_000
  const push = () => {
    while (written < most) {
      written += 10_000
      if (!daemon.write(piece(1, 'x'.repeat(10_000)))) return void daemon.once('drain', push)
    }
    daemon.end()
  }
  push()
  await new Promise((then) => setImmediate(then))
  t.ok(written < 1_000_000, `${written} bytes are under way`)
  t.equal((await text(connection)).length, most)
})
