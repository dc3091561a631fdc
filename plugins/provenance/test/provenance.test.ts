import { createHash, createPublicKey, generateKeyPairSync, sign } from 'node:crypto'
import { bundleFromJSON } from '@sigstore/bundle'
import { toSignedEntity, toTrustMaterial, Verifier } from '@sigstore/verify'
import t from 'tap'
import { replay } from '../../../cli/provenance/replay.ts'
import { verifyBundle } from '../../../cli/provenance/verify.ts'
import { boot } from '../../../test/boot.ts'
import { commands } from '../../../test/cli/command.ts'
import { temporaryFolder, writeFiles } from '../../../test/pack-folders.ts'
import { eventsItem } from '../recording/frames.ts'
import type { Any } from './testbed.ts'
import { bundleOf, got, sha256 } from './testbed.ts'

const booted = await boot(t, 'provenance', 'knowledge', 'memory', 'tools', 'models', 'files', 'extraction')
const { as, settled, platform } = booted
const [ada, eve] = [as('ada'), as('eve')]
const run = async (agentId: string, content: string, fields: object = {}) => {
  const { body } = await ada.post('/v1/agents/run', {
    agentId,
    messages: [{ role: 'user', content }],
    ...fields
  })
  return body.data
}
const agentOf = async () => (await ada.agent({ modelProvider: 'local' })).id as string
const codes = (bundle: object, pem: string) =>
  verifyBundle(JSON.stringify(bundle), pem).faults.map(({ code }) => code)
const traced = async (runId: string) => got(ada, `/v1/provenance/scopes/run/${runId}`)

t.test('what a run used is reported, by each of the scopes', async (t) => {
  const agentId = await agentOf()
  await ada.post('/v1/memory', { agentId, content: 'Ada has a cat.' })
  const space = (await ada.post('/v1/knowledge', { name: 'Handbook' })).body.data
  const texts = { title: 'Boats', content: 'A harbour keeps its boats from storms.' }
  const document = (await ada.post(`/v1/knowledge/${space.id}/documents`, texts)).body.data
  await ada.post(`/v1/knowledge/${space.id}/grants`, {
    subjectType: 'agent',
    subjectId: agentId,
    level: 'read'
  })
  await settled()
  const call = '/call search_knowledge {"query":"harbour boats storms"}'
  const done = await run(agentId, call)
  const later = await run(agentId, 'Thank you', { sessionId: done.sessionId })
  await settled()

  const report = await got(ada, `/v1/provenance/sessions/${done.sessionId}`)
  t.match(report, {
    scope: { type: 'session', id: done.sessionId },
    traceId: done.sessionId,
    runs: [{ runId: later.id }, { runId: done.id, mode: 'metadata', status: 'completed', owner: 'ada' }],
    nextCursor: null
  })
  const of = (type: string) => [...report.contributors, ...report.sources].filter((it) => it.type === type)
  t.match(of('person'), [{ id: 'ada', runIds: [later.id, done.id] }])
  t.match(of('agent'), [{ id: agentId }])
  t.ok(of('model').length > 0)
  t.match(of('memory'), [{ details: { sha256: sha256('Ada has a cat.') } }])
  t.match(of('document'), [{ id: document.id, details: { spaceId: space.id, version: 1, start: 0 } }])
  t.match(of('tool'), [
    { details: { name: 'search_knowledge', isError: false, resultSha256: /^[0-9a-f]{64}$/ } }
  ])
  t.ok(of('message').some(({ details }) => details.sha256 === sha256(call)))
  t.equal(report.runs[1].answerSha256, sha256(done.content))
  t.notMatch(JSON.stringify(report), /has a cat|harbour/i, 'digests alone')

  const path = `/v1/provenance/scopes/agent/${agentId}`
  const first = await got(ada, `${path}?limit=1`)
  t.match(first, { traceId: null, runs: [{ runId: later.id }] })
  t.match(await got(ada, `${path}?limit=1&cursor=${first.nextCursor}`), {
    runs: [{ runId: done.id }],
    nextCursor: null
  })
  for (const scope of [`document/${document.id}`, `space/${space.id}`])
    t.match(await got(ada, `/v1/provenance/scopes/${scope}`), { runs: [{ runId: done.id }] })

  for (const mine of [
    `sessions/${done.sessionId}`,
    `scopes/run/${done.id}`,
    `scopes/agent/${agentId}`,
    `scopes/document/${document.id}`,
    `scopes/space/${space.id}`,
    `traces/${done.id}/bundle`,
    `traces/${done.sessionId}/bundle`
  ])
    t.match(await eve.get(`/v1/provenance/${mine}`), { status: 403 }, mine)
  for (const unknown of [
    'sessions/session_nope',
    'scopes/run/run_nope',
    'scopes/agent/agent_nope',
    'scopes/document/document_nope',
    'scopes/space/space_nope',
    'scopes/file/file_nope',
    'traces/run_nope/bundle',
    'traces/nope/bundle',
    'keys/nope'
  ])
    t.match(await ada.get(`/v1/provenance/${unknown}`), { status: 404 }, unknown)
  for (const bad of [
    'scopes/planet/mars',
    `sessions/${done.sessionId}?limit=0`,
    `sessions/${done.sessionId}?cursor=zzz`,
    `traces/${done.id}/bundle?item=-1`,
    `traces/${done.id}/bundle?item=5000`
  ])
    t.match(await ada.get(`/v1/provenance/${bad}`), { status: 400 }, bad)
})

t.test('files, modes, and what goes with a session', async (t) => {
  const agentId = await agentOf()
  const form = new FormData()
  form.set('file', new Blob(['Tea is at four.']), 'tea.txt')
  const headers = { authorization: `Bearer ${await ada.key()}` }
  const sent = await fetch(`${booted.url}/v1/files/upload`, { method: 'POST', headers, body: form })
  const { data: file } = (await sent.json()) as Any
  const withFile = await run(agentId, 'When is tea?', { attachments: [{ fileId: file.id }] })
  const off = await run(agentId, 'Nothing of this', { provenance: { mode: 'off' } })
  const full = await run(agentId, 'All of this', { provenance: { mode: 'full' } })
  t.match(
    await ada.post('/v1/agents/run', {
      agentId,
      messages: [{ role: 'user', content: 'x' }],
      provenance: { onchain: true }
    }),
    { status: 503, body: { error: { code: 'capability_missing', param: '/provenance/onchain' } } }
  )
  await settled()
  t.match(await got(ada, `/v1/provenance/scopes/file/${file.id}`), { runs: [{ runId: withFile.id }] })
  t.match(await eve.get(`/v1/provenance/scopes/file/${file.id}`), { status: 403 })
  t.match(await traced(off.id), { traceId: null, runs: [], sources: [] })
  const plain = await run(agentId, 'Nothing is written down of this')
  t.match(await traced(plain.id), { runs: [{ mode: 'metadata', answerSha256: sha256(plain.content) }] })
  await settled()
  t.same(await platform.knex('provenance.trace').where({ id: plain.id }), [])
  t.same(
    (await bundleOf(ada, plain.id)).data.items,
    (await bundleOf(ada, plain.id)).data.items,
    'and yet its trace is always the same'
  )
  await ada.delete(`/v1/sessions/${plain.sessionId}`)
  t.match(await ada.get(`/v1/provenance/sessions/${plain.sessionId}`), { status: 404 })
  t.match(await ada.get(`/v1/provenance/traces/${off.id}/bundle`), { status: 404 })
  t.match(await traced(full.id), { runs: [{ mode: 'full' }] })
  const { data } = await bundleOf(ada, full.id)
  const said = data.items.filter(({ type }: Any) => type === 'message' || type === 'answer')
  t.ok(said.some(({ content }: Any) => content === 'All of this'))
  for (const { content, sha256: digest } of said) t.equal(digest, sha256(content))

  await ada.delete(`/v1/sessions/${full.sessionId}`)
  await settled()
  t.equal((await platform.knex('provenance.trace').where({ id: full.id })).length, 0)
  await ada.delete(`/v1/agents/${agentId}`)
  await settled()
  for (const table of ['trace', 'source'])
    t.same(
      await platform.knex(`provenance.${table}`).where({ agentId }),
      [],
      `${table}s of the agent are gone`
    )
})

t.test('a bundle is checked without the platform, and says what is wrong with it', async (t) => {
  const agentId = await agentOf()
  const { id, sessionId, content } = await run(agentId, 'Hello')
  await run(agentId, 'And again', { sessionId })
  await settled()
  const { data, statement, key, pem } = await bundleOf(ada, sessionId)
  t.match(statement, {
    _type: 'https://in-toto.io/Statement/v1',
    predicate: { scope: { id: sessionId }, runs: 2, tree: { size: data.items.length } }
  })
  t.equal(statement.subject.find(({ name }: Any) => name === `${id}/answer`).digest.sha256, sha256(content))
  const der = createPublicKey(pem).export({ type: 'spki', format: 'der' })
  t.equal(createHash('sha256').update(der).digest('hex'), key.id)
  t.same((await bundleOf(ada, sessionId)).data, data, 'the same as long as nothing changes')

  const keys = { [key.id]: { rawBytes: der, keyDetails: 0 } } as Any
  const none = { certificateAuthorities: [], timestampAuthorities: [], tlogs: [], ctlogs: [] } as Any
  const verifier = new Verifier(toTrustMaterial(none, keys), {
    tlogThreshold: 0,
    ctlogThreshold: 0,
    timestampThreshold: 0
  })
  const entity = toSignedEntity(bundleFromJSON(data.bundle))
  t.doesNotThrow(() => verifier.verify(entity), 'by the library of Sigstore')
  const changed = structuredClone(data)
  changed.bundle.dsseEnvelope.payload = Buffer.from(
    JSON.stringify({ ...statement, subject: [{ name: 'other', digest: { sha256: '00' } }] })
  ).toString('base64')
  t.throws(() => verifier.verify(toSignedEntity(bundleFromJSON(changed.bundle))), /signature/)

  const alter = (work: (bundle: Any) => void) => {
    const copy = structuredClone(data)
    work(copy)
    return codes(copy, pem)
  }
  t.same(codes(data, pem), [])
  t.same(codes({ data }, pem), [], 'as the platform answered')
  t.same(codes(changed, pem).slice(0, 1), ['forged'])
  t.same(
    alter(({ items }) => Object.assign(items[3], { id: 'other' })),
    ['forged']
  )
  t.same(
    alter(({ items }) => items.pop()),
    ['cut']
  )
  t.same(
    alter(({ items }) => items.splice(2, 1)),
    ['cut']
  )
  t.same(
    alter(({ items }) => items.reverse()),
    ['reordered']
  )
  t.same(
    alter(({ items }) => items.splice(0, 2, { ...items[1], n: 0 }, { ...items[0], n: 1 })),
    ['forged']
  )
  t.same(
    alter(({ items }) => items.push(items[0])),
    ['forged']
  )
  t.same(
    alter((bundle) => delete bundle.items),
    ['malformed']
  )
  for (const [from, to] of [
    ['"salt":', '"salt":"","salt":'],
    ['"items":', '"items":[],"\\u0069tems":']
  ] as const) {
    const twice = verifyBundle(JSON.stringify(data).replace(from, to), pem).faults
    t.match(twice, [{ code: 'malformed', message: /twice/ }], `${from} twice, of which readers take either`)
  }
  const mallory = generateKeyPairSync('ed25519')
  const malloryPem = mallory.publicKey.export({ type: 'spki', format: 'pem' }).toString()
  const malloryId = sha256(mallory.publicKey.export({ type: 'spki', format: 'der' }) as Any)
  t.same(codes(data, malloryPem), ['resigned'])
  const resigned = (named: string) =>
    alter(({ bundle }) => {
      const { payload, payloadType } = bundle.dsseEnvelope
      const body = Buffer.from(payload, 'base64')
      const start = Buffer.from(`DSSEv1 ${payloadType.length} ${payloadType} ${body.length} `)
      const sig = sign(null, Buffer.concat([start, body]), mallory.privateKey).toString('base64')
      bundle.dsseEnvelope.signatures = [{ sig, keyid: named }]
      bundle.verificationMaterial.publicKey.hint = named
    })
  t.same(resigned(malloryId), ['resigned'])
  t.same(resigned(key.id), ['forged'], 'in the name of the right key')

  for (const n of data.items.keys()) {
    const { data: one } = await bundleOf(ada, sessionId, `?item=${n}`)
    t.same([one.items, one.proofs.length], [[data.items[n]], 1])
    t.same(codes(one, pem), [], `item ${n} alone`)
    t.same(codes({ ...one, items: [{ ...one.items[0], salt: '' }] }, pem)[0], 'forged')
    t.same(codes({ ...one, items: [data.items[(n + 1) % data.items.length]] }, pem)[0], 'forged')
  }

  const some = await Promise.all([0, 1].map((n) => bundleOf(ada, sessionId, `?item=${n}`)))
  const showing = (...shown: number[]) => ({
    ...data,
    items: shown.map((n) => data.items[n]),
    proofs: shown.map((n) => some[n]?.data.proofs[0])
  })
  t.same(codes(showing(0, 1), pem), [])
  t.same(codes(showing(0, 1, 0), pem), ['forged'], 'one twice is none in place of another')
  t.same(codes(showing(), pem), ['cut'])

  const folder = await temporaryFolder(t)
  const file = (name: string) => `${folder}/${name}`
  await writeFiles(folder, {
    'bundle.json': JSON.stringify({ data }),
    'cut.json': JSON.stringify({ ...data, items: data.items.slice(1) }),
    'key.pem': pem
  })
  const { call } = commands({})
  const check = (name: string) => call('provenance', 'verify', file(name), '--key', file('key.pem'))
  t.match(await check('bundle.json'), { code: 0, out: `${sessionId}: the signature is right` })
  t.match(await check('cut.json'), {
    code: 1,
    out: '',
    err: /^cut: 1 of \d+ items are missing, the first is 0\n/
  })
  t.match(await call('provenance', 'verify', file('bundle.json')), { code: 2 })
})

t.test('a run whose provenance was full is replayed byte by byte', async (t) => {
  const agentId = await agentOf()
  await ada.post(`/v1/agents/${agentId}/tools`, { toolId: 'recall' })
  await ada.post('/v1/memory', { agentId, content: 'Tea is at four.' })
  const { id } = await run(agentId, '/call recall {"query":"When is tea?"}', { provenance: { mode: 'full' } })
  const plain = await run(agentId, 'Hello')
  await settled()
  const lines = (await ada.get(`/v1/agents/runs/${id}/stream`)).text
    .split('\n')
    .flatMap((line) => (line.startsWith('data: ') ? line.slice(6) : []))
  const { data, pem } = await bundleOf(ada, id)
  const events = data.items.find(({ type }: Any) => type === 'events')
  t.equal(events.sha256, sha256(lines.join('\n')))
  t.ok(
    events.frames.some((frame: string) => frame.includes('$text')),
    'what was said is in the replies alone'
  )
  const forged = structuredClone(data.items)
  forged.find(({ type }: Any) => type === 'answer').content += '!'
  t.match(replay(data.items), [{ runId: id, log: lines.join('\n'), isSame: true }])
  t.match(replay(forged), [{ isSame: true }], 'what no event shows is no matter')
  forged.find(({ type }: Any) => type === 'answer').content = 'Other words'
  t.match(replay(forged), [{ isSame: false }])

  const sly = [
    { type: 'toolEnd', callId: 'call_x', output: { $result: 'call_y' } },
    { type: 'toolStart', callId: 'call_x', args: { $args: 'call_y' } },
    { type: 'token', phase: 'commentary', content: { $text: [0, 0, 1] } },
    { $line: 'another' }
  ]
  const log = sly.map((event) => JSON.stringify(event)).join('\n')
  const item = { ...eventsItem({ id, replies: [], calls: [], content: null } as Any, log), runId: id }
  t.same(replay([item]), [{ runId: id, log, isSame: true }], 'what looks like a stand-in is none')

  const folder = await temporaryFolder(t)
  const files = {
    'full.json': JSON.stringify({ data }),
    'forged.json': JSON.stringify({ ...data, items: forged })
  }
  const other = await bundleOf(ada, plain.id)
  await writeFiles(folder, { ...files, 'plain.json': JSON.stringify(other.data), 'key.pem': pem })
  const { call } = commands({})
  const again = (name: string) => call('runs', 'replay', `${folder}/${name}`, '--key', `${folder}/key.pem`)
  t.strictSame(await again('full.json'), { code: 0, out: `${lines.join('\n')}\n`, err: '' })
  t.match(await again('forged.json'), { code: 1, out: '', err: /^forged: / })
  t.match(await again('plain.json'), { code: 1, out: '', err: /no events/ })
})

t.test('keys take turns, and what the earlier ones signed stays good', async (t) => {
  const { id } = await run(await agentOf(), 'Hello')
  await settled()
  const before = await bundleOf(ada, id)
  const key = () => platform.knex('provenance.signing_key').where({ project: 'default' })
  await key().update({ signsUntil: new Date(0) })
  const [after, same] = await Promise.all([bundleOf(ada, id), bundleOf(ada, id)])
  t.not(after.key.id, before.key.id)
  t.equal(same.key.id, after.key.id, 'one, of two that made it at once')
  t.equal((await bundleOf(ada, id)).key.id, after.key.id)
  t.same(await got(ada, `/v1/provenance/keys/${before.key.id}`), {
    ...before.key,
    signsUntil: new Date(0).toISOString()
  })
  t.same(codes(before.data, before.pem), [])
  t.same(codes(after.data, before.pem), ['resigned'])
  t.same(await key().whereNotNull('sealed').pluck('keyId'), [after.key.id], 'it can sign nothing any more')
})
