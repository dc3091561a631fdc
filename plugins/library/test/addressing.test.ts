import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { CID } from 'multiformats/cid'
import t from 'tap'
import { boot } from '../../../test/boot.ts'
import { until } from '../../../test/facts.ts'
import { cidOf } from '../addressing/cid.ts'
import { uploaded } from './testbed.ts'

/** A node of the network: it keeps what it is sent, and says what the test wants of it. */
const node = { sent: [] as { url: string; authorization: string; body: Buffer }[], hash: '' }
const server = createServer(async (request, response) => {
  const body = Buffer.concat(await Array.fromAsync(request))
  node.sent.push({ url: request.url ?? '', authorization: request.headers.authorization ?? '', body })
  response.end(JSON.stringify({ Name: 'file', Hash: node.hash }))
}).listen(0, '127.0.0.1')
await once(server, 'listening')
t.teardown(() => server.close())
const address = `127.0.0.1:${(server.address() as AddressInfo).port}`

const booted = await boot(t, 'library', {
  env: { LIBRARY_IPFS_URL: `http://${address}`, LIBRARY_IPFS_KEY: 'node-key', OUTGOING_ALLOW: address }
})
const { as, anyone } = booted
const [ada, eve] = [as('ada'), as('eve')]
const url = '/v1/library/preferences/storage'
const refuses = (status: number, error: object = {}) => ({ status, body: { error } })
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest()

/** RFC 4648, in lower case and without padding. */
function base32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  const groups = bits.match(/.{1,5}/g) ?? []
  return groups
    .map((it) => 'abcdefghijklmnopqrstuvwxyz234567'[Number.parseInt(it.padEnd(5, '0'), 2)])
    .join('')
}
/** Of one chunk: version 1, raw, SHA-256 of 32 bytes. */
const rawCid = (bytes: Uint8Array) =>
  `b${base32(Buffer.concat([Buffer.from([1, 0x55, 0x12, 32]), sha256(bytes)]))}`

/** The CIDs that a node of DAG-PB links to: field 2 of the node, field 1 of each. */
function linksOf(block: Uint8Array): CID[] {
  const fields = (bytes: Uint8Array, wanted: number) => {
    const found: Uint8Array[] = []
    let at = 0
    const varint = () => {
      let value = 0
      for (let shift = 0; ; shift += 7) {
        const byte = bytes[at++] as number
        value += (byte & 127) * 2 ** shift
        if (byte < 128) return value
      }
    }
    while (at < bytes.length) {
      const tag = varint()
      const size = varint()
      if ((tag & 7) !== 2) continue
      if (tag >> 3 === wanted) found.push(bytes.subarray(at, at + size))
      at += size
    }
    return found
  }
  return fields(block, 2).map((link) => CID.decode(fields(link, 1)[0] as Uint8Array))
}

t.test('a CID is of the bytes: its DAG is read back, block by block', async (t) => {
  for (const size of [0, 1, 1_048_576, 1_048_577, 3_000_000]) {
    const bytes = randomBytes(size)
    const blocks = new Map<string, Uint8Array>()
    const pieces = async function* () {
      for (let at = 0; at < size; at += 65_000) yield bytes.subarray(at, at + 65_000)
    }
    const cid = await cidOf(pieces(), (cid, block) => void blocks.set(cid.toString(), block.slice()))
    const read = (cid: CID): Uint8Array[] => {
      const block = blocks.get(cid.toString())
      if (!block) throw new Error(`no block ${cid}`)
      t.ok(Buffer.from(cid.multihash.digest).equals(sha256(block)))
      return cid.code === 0x55 ? [block] : linksOf(block).flatMap(read)
    }
    if (size === 0) t.equal(cid, rawCid(bytes))
    else t.ok(Buffer.concat(read(CID.parse(cid))).equals(bytes), `${size} bytes`)
    t.equal(CID.parse(cid).version, 1)
    if (size <= 1_048_576) t.equal(cid, rawCid(bytes), 'one chunk is its own root')
    else t.equal(blocks.size, Math.ceil(size / 1_048_576) + 1)
  }
})

t.test('a preference is of its owner', async (t) => {
  const first = await ada.get(url)
  t.match(first, { status: 200, body: { data: { owner: 'ada', storage: 'object', version: 0 } } })
  t.match(await ada.patch(url, first.body.data, { 'if-match': '"0"' }), { body: { data: { version: 0 } } })
  t.match(await ada.patch(url, { storage: 'content-addressed' }, { 'if-match': '"3"' }), refuses(412))
  t.match(await ada.patch(url, { storage: 'content-addressed' }, { 'if-match': '"0"' }), {
    status: 200,
    body: { data: { owner: 'ada', storage: 'content-addressed', version: 1 } }
  })
  t.equal((await ada.get(url)).headers.get('etag'), '"1"')
  t.match((await eve.get(url)).body.data, { owner: 'eve', storage: 'object' })
  t.match((await as('ada', { project: 'elsewhere' }).get(url)).body.data, { storage: 'object' })
  t.match(await ada.patch(url, { storage: 'tape' }), refuses(400, { param: '/storage' }))
  t.match(await ada.patch(url, { unheard: 1 }), refuses(400, { param: '/unheard' }))
  t.match(await anyone.get(url), refuses(401))
  const { id } = await ada.agent()
  const itself = as(id, { type: 'agent', owner: 'ada' })
  t.match((await itself.get(url)).body.data, { storage: 'content-addressed' })
  t.match(await itself.patch(url, { storage: 'object' }), refuses(403, { code: 'agent_principal' }))
})

t.test('items of who prefers it get CIDs, and the node their bytes', async (t) => {
  const kim = as('kim')
  const cidOfItem = async (id: string) => (await kim.get(`/v1/library/${id}`)).body.data.cid as string | null
  const before = await uploaded(booted, kim, 'before.txt', 'there already')
  t.equal(before.cid, null)
  node.hash = rawCid(Buffer.from('there already'))
  await kim.patch(url, { storage: 'content-addressed' })
  await until(async () => (await cidOfItem(before.id)) === node.hash)
  const { version } = (await kim.get(`/v1/library/${before.id}`)).body.data
  t.equal(version, 1, 'that is no edit')
  const [sent] = node.sent
  t.match(sent?.url, /^\/api\/v0\/add\?.*cid-version=1.*chunker=size-1048576.*max-file-links=1024.*pin=true/)
  t.equal(sent?.authorization, 'Bearer node-key')
  t.match(sent?.body.toString(), /\r\n\r\nthere already\r\n--/)
  t.notMatch(sent?.body.toString(), /before\.txt/, 'the network does not hear what it is called')

  node.hash = rawCid(Buffer.from('something else'))
  const held = node.sent.length
  const refused = await uploaded(booted, kim, 'refused.txt', 'another')
  await until(async () => node.sent.length > held)
  t.equal(await cidOfItem(refused.id), null, 'what the node says of other bytes is not believed')

  await kim.patch(url, { storage: 'object' })
  const after = await uploaded(booted, kim, 'after.txt', 'no more')
  t.equal(after.cid, null)
  t.equal(await cidOfItem(before.id), rawCid(Buffer.from('there already')), 'a CID stays')
})
