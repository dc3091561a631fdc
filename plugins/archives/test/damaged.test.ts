// budget: 20 s, because thousands of damaged archives are read
// tier: long
import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { canonicalJson } from 'agent-platform'
import t from 'tap'
import { boot } from '../../../test/boot.ts'
import { createArchiveReader } from '../format/reader.ts'
import { at, contentOf, examined, exported, forge, imported } from './testbed.ts'

const here = boot(t, 'archives', 'provenance', 'skills')
const settings = {
  archiveBytes: 1e9,
  unpackedBytes: 1e8,
  archiveEntries: 1_000,
  archiveRecords: 1_000,
  mostRunning: 4,
  trustedKeys: ''
}

/** What an archive says when all of it is read, or how it is refused. */
async function readingOf(path: string) {
  try {
    const reader = await createArchiveReader(path, settings)
    try {
      await reader.verify(() => undefined)
      return JSON.stringify([reader.manifest, reader.signer])
    } finally {
      reader.close()
    }
  } catch (error) {
    const { kind, code } = error as { kind?: string; code?: string }
    if (kind === undefined) throw error
    return `${kind} ${code}`
  }
}

t.test('whatever byte is another one, the archive is refused or says the same', async (t) => {
  const a = await here
  const ada = at(a.url, a.as('ada'))
  const agent = await ada.agent({ instructions: 'Be brief.' })
  const { body: skill } = await ada.post('/v1/skills', {
    name: 'tea',
    description: 'Makes tea',
    files: [{ path: 'a.md', content: 'green' }]
  })
  await ada.put(`/v1/skills/${skill.data.id}/agents/${agent.id}`, { attached: true })
  const { bytes } = await exported(ada, agent.id)
  const path = join(t.testdir(), 'archive.zip')
  await writeFile(path, bytes)
  const good = await readingOf(path)
  t.match(good, /"keyId"/)

  let refused = 0
  const accepted: number[] = []
  for (let place = 0; place < bytes.length; place++) {
    const damaged = Buffer.from(bytes)
    damaged.writeUInt8(damaged.readUInt8(place) ^ (1 << (place % 8)), place)
    await writeFile(path, damaged)
    const said = await readingOf(path)
    if (said === good) accepted.push(place)
    else if (said.startsWith('invalid') || said.startsWith('tooLarge')) refused++
    else t.fail(`another archive with byte ${place} changed`)
  }
  t.ok(refused > bytes.length * 0.7, `${refused} of ${bytes.length} were refused; the others mean nothing`)

  for (let length = 0; length < bytes.length; length += 97) {
    await writeFile(path, bytes.subarray(0, length))
    t.match(await readingOf(path), /^invalid archive_/, `cut to ${length}`)
  }

  // Whoever takes the signature away has an archive that nobody signed; whoever puts it elsewhere has none.
  const { paths } = await contentOf(t.testdir(), bytes)
  t.same(paths.slice(-2), ['manifest.json', 'signature.json'])
})

t.test('a signature is of one archive', async (t) => {
  const a = await here
  const ada = at(a.url, a.as('ada'))
  const [one, two] = [await ada.agent({ name: 'One' }), await ada.agent({ name: 'Two' })]
  const folder = t.testdir()
  const signature = (await contentOf(folder, (await exported(ada, one.id)).bytes)).files['signature.json']
  const { files } = await contentOf(folder, (await exported(ada, two.id)).bytes)
  const parts = { agents: String(files['parts/agents.jsonl']) }
  const signed = (content: string | undefined, manifest = {}) =>
    forge({
      parts,
      manifest,
      files: (all) => [...all, ...(content === undefined ? [] : [{ name: 'signature.json', content }])]
    })
  const wrong = { status: 400, body: { error: { code: 'archive_signature', param: '/fileId' } } }
  t.match(await examined(ada, signed(signature)), wrong, 'that of another archive')
  t.match(await examined(ada, signed('{}')), wrong)
  t.match(await examined(ada, signed('no JSON')), wrong)
  const other = JSON.parse(signature ?? '')
  t.match(
    await examined(ada, signed(JSON.stringify({ ...other, keyId: '0'.repeat(64) }))),
    wrong,
    'another key'
  )
  // By a key of one's own anything can be signed.
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const keyId = createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('hex')
  const { payloadType } = other.bundle.dsseEnvelope
  const statement = JSON.parse(Buffer.from(other.bundle.dsseEnvelope.payload, 'base64').toString())
  const issuer = {
    ...statement,
    predicate: { issuer: {}, key: `[object Object]/v1/provenance/keys/${keyId}` }
  }
  for (const body of ['null', '{}', 'no JSON', '{"predicate":null}', JSON.stringify(issuer)]) {
    const dsse = `DSSEv1 ${payloadType.length} ${payloadType} ${body.length} ${body}`
    const sig = sign(null, Buffer.from(dsse), privateKey).toString('base64')
    const payload = Buffer.from(body).toString('base64')
    const bundle = {
      ...other.bundle,
      verificationMaterial: { publicKey: { hint: keyId }, tlogEntries: [] },
      dsseEnvelope: { payload, payloadType, signatures: [{ sig, keyid: keyId }] }
    }
    const pem = publicKey.export({ type: 'spki', format: 'pem' })
    t.match(await examined(ada, signed(canonicalJson({ keyId, publicKey: pem, bundle }))), wrong, body)
  }
  const unsigned = await examined(ada, signed(undefined))
  t.match(unsigned, { status: 200, body: { data: { signature: { status: 'none', keyId: null } } } })
  t.match(await imported(ada, signed(undefined)), { status: 400, error: { code: 'archive_untrusted' } })
  t.match(await imported(ada, signed(undefined), { acceptUnsigned: true }), { status: 'completed' })
})
