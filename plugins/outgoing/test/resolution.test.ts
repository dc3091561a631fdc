import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { isIPv4 } from 'node:net'
import t from 'tap'
import { createResolve } from '../resolution.ts'

const A = 1
const AAAA = 28
const records: Record<string, Record<number, readonly number[]>> = {
  'both.example': { [A]: [192, 0, 2, 7], [AAAA]: [0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9] },
  'four.example': { [A]: [192, 0, 2, 8] }
}

/** A name server on loopback. */
async function nameServer(t: { teardown(work: () => unknown): unknown }) {
  const asked: string[] = []
  const server = createSocket('udp4').on('message', (query, { port, address }) => {
    const labels: string[] = []
    let at = 12
    for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
      labels.push(query.toString('latin1', at + 1, at + 1 + length))
      at += 1 + length
    }
    const name = labels.join('.')
    asked.push(name)
    const data = records[name]?.[query.readUInt16BE(at + 1)]
    const flags = records[name] ? 0x8180 : 0x8183
    const head = [query.readUInt16BE(0), flags, 1, data ? 1 : 0, 0, 0].flatMap((it) => [it >> 8, it & 255])
    const question = query.subarray(12, at + 5)
    const type = query.subarray(at + 1, at + 3)
    const answer = data ? [0xc0, 12, ...type, 0, 1, 0, 0, 0, 0, 0, data.length, ...data] : []
    server.send(Buffer.from([...head, ...question, ...answer]), port, address)
  })
  server.bind(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  return { resolve: createResolve([`127.0.0.1:${server.address().port}`]), asked }
}

t.test('names of users are resolved by DNS, to all their addresses', async (t) => {
  const { resolve, asked } = await nameServer(t)
  t.same(await resolve('both.example', false), [
    { address: '192.0.2.7', family: 4 },
    { address: '2001:db8::9', family: 6 }
  ])
  t.same(await resolve('four.example', false), [{ address: '192.0.2.8', family: 4 }])
  await t.rejects(resolve('none.example', false), { code: 'ENOTFOUND' })
  await t.rejects(
    resolve('ip6-localhost', false),
    { code: 'ENOTFOUND' },
    'what the hosts file says is private'
  )
  t.same([...new Set(asked)], ['both.example', 'four.example', 'none.example', 'ip6-localhost'])
})

t.test('names of the operator are resolved as the system does', async (t) => {
  const { resolve, asked } = await nameServer(t)
  const found = await resolve('localhost', true)
  t.ok(
    found.some(({ address, family }) =>
      isIPv4(address) ? address.startsWith('127.') && family === 4 : family === 6
    )
  )
  t.same(asked, [])
})
