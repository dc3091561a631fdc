import { createHash, randomBytes } from 'node:crypto'
import t from 'tap'
import { boot } from '../../../test/boot.ts'
import { bodyOf, FORM, part, upload } from '../../../test/uploads.ts'

const env = { FILE_BYTES: '300000', FILES_OWNER_BYTES: '1000000', FILES_OWNER_FILES: '100' }
const booted = await boot(t, 'files', { env })
const { as, anyone, platform, settled } = booted
const [ada, eve] = [as('ada'), as('eve')]
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64'
)
const counted = async () => ({
  files: (await platform.knex('files.file')).length,
  references: (await platform.knex('storage.reference')).length
})

t.test('a file is uploaded, read and downloaded by its owner', async (t) => {
  const bytes = randomBytes(200_001)
  const { status, body } = await upload(ada, [part('data.bin', bytes)])
  t.equal(status, 201)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const file = {
    id: /^file_/,
    owner: 'ada',
    name: 'data.bin',
    mediaType: 'application/octet-stream',
    size: 200_001,
    sha256,
    createdAt: /T.*Z$/
  }
  t.match(body.data, file)
  t.equal(Object.keys(body.data).length, Object.keys(file).length)
  const url = `/v1/files/${body.data.id}`
  t.same((await ada.get(url)).body.data, body.data)
  const content = await fetch(`${booted.url}${url}/content`, {
    headers: { authorization: `Bearer ${await ada.key()}` }
  })
  t.ok(bytes.equals(Buffer.from(await content.arrayBuffer())))
  t.match(Object.fromEntries(content.headers), {
    etag: `"${sha256}"`,
    'content-length': '200001',
    'content-type': 'application/octet-stream',
    'content-disposition': 'attachment; filename="data.bin"',
    'x-content-type-options': 'nosniff',
    'content-security-policy': /sandbox/,
    'accept-ranges': 'bytes',
    'cache-control': 'private, no-cache'
  })
  await settled()
  const facts = await platform.knex('kernel.fact').where({ name: 'files.uploaded' })
  t.match(facts, [{ subject: body.data.id, owner: 'ada' }])
})

t.test('several files are a list, and the same bytes lie there once', async (t) => {
  const { status, body } = await upload(ada, [part('a.txt', 'same'), part('b.md', 'same')])
  t.equal(status, 201)
  t.match(body.data, [
    { name: 'a.txt', mediaType: 'text/plain' },
    { name: 'b.md', mediaType: 'text/markdown' }
  ])
  t.equal((await platform.knex('storage.object').where({ sha256: body.data[0].sha256 })).length, 1)
})

t.test('what a file is, its bytes say, and only of text its name', async (t) => {
  const cases = [
    ['run.exe', png, 'text/html', 'image/png', 'inline'],
    ['photo.png', '<script>alert(1)</script>', 'image/png', 'text/plain', 'inline'],
    ['page.html', '<script>alert(1)</script>', 'text/plain', 'text/html', 'attachment'],
    ['logo.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>', undefined, 'image/svg+xml', 'attachment'],
    ['logo.svg', '<?xml version="1.0"?><svg/>', undefined, 'image/svg+xml', 'attachment'],
    ['feed', '<?xml version="1.0"?><feed/>', 'text/html', 'text/html', 'attachment'],
    ['report.pdf', '%PDF-1.7\n', undefined, 'application/pdf', 'attachment'],
    ['table.csv', 'a,b\n1,2\n', 'application/pdf', 'text/csv', 'attachment'],
    ['README', 'Grüße', 'application/x-msdownload', 'text/plain', 'inline'],
    ['noise.txt', Buffer.from([0, 1, 2, 255, 254]), 'text/plain', 'application/octet-stream', 'attachment'],
    ['empty.json', '', undefined, 'application/json', 'attachment']
  ] as const
  for (const [name, bytes, declared, mediaType, disposition] of cases) {
    const { body } = await upload(ada, [part(name, bytes, declared)])
    t.equal(body.data.mediaType, mediaType, name)
    const content = await ada.get(`/v1/files/${body.data.id}/content`)
    t.equal(content.headers.get('content-disposition')?.split(';')[0], disposition, name)
    t.match(content.headers.get('content-type'), new RegExp(`^${mediaType.replace('+', '\\+')}`))
  }
})

t.test('names are safe to show and to save under', async (t) => {
  const long = `${'ä'.repeat(300)}.pdf`
  const cases = [
    ['../../etc/passwd', 'passwd', 'passwd'],
    ['C:\\Users\\ada\\plan.txt', 'plan.txt', 'plan.txt'],
    ['gut\u202egpj.exe', 'gutgpj.exe', 'gutgpj.exe'],
    ['..', 'file', 'file'],
    ['Grüße €.txt', 'Grüße €.txt', "Gr__e _.txt\"; filename*=UTF-8''Gr%C3%BC%C3%9Fe%20%E2%82%AC.txt"],
    [long, `${'ä'.repeat(125)}.pdf`, undefined]
  ] as const
  for (const [given, name, shown] of cases) {
    const { body } = await upload(ada, [part(given, 'x')])
    t.equal(body.data.name, name)
    const { headers } = await ada.get(`/v1/files/${body.data.id}/content`)
    if (shown) t.match(headers.get('content-disposition')?.replace(/"$/, ''), `filename="${shown}`)
  }
})

t.test('a range, what was not modified, and HEAD', async (t) => {
  const { body } = await upload(ada, [part('digits.txt', '0123456789')])
  const url = `/v1/files/${body.data.id}/content`
  const etag = `"${body.data.sha256}"`
  const ranges = [
    ['bytes=2-4', 206, '234', 'bytes 2-4/10'],
    ['bytes=7-', 206, '789', 'bytes 7-9/10'],
    ['bytes=-3', 206, '789', 'bytes 7-9/10'],
    ['bytes=-30', 206, '0123456789', 'bytes 0-9/10'],
    ['bytes=8-99', 206, '89', 'bytes 8-9/10'],
    ['bytes=4-2', 200, '0123456789', null],
    ['bytes=0-1,4-5', 200, '0123456789', null],
    ['lines=0-1', 200, '0123456789', null]
  ] as const
  for (const [range, status, text, contentRange] of ranges) {
    const reply = await ada.get(url, { range })
    t.match(reply, { status, text }, range)
    t.equal(reply.headers.get('content-range'), contentRange)
    t.equal(reply.headers.get('content-length'), String(text.length))
  }
  for (const range of ['bytes=10-', 'bytes=99-100', 'bytes=-0']) {
    const reply = await ada.get(url, { range })
    t.match(reply, { status: 416, body: { error: { type: 'invalid_request_error', param: 'range' } } }, range)
    t.equal(reply.headers.get('content-range'), 'bytes */10')
  }
  const ifRange = (tag: string) => ada.get(url, { range: 'bytes=0-1', 'if-range': tag })
  t.match(await ifRange(etag), { status: 206, text: '01' })
  t.match(await ifRange('"other"'), { status: 200, text: '0123456789' })

  for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const reply = await ada.get(url, { 'if-none-match': tag })
    t.match(reply, { status: 304, text: '' })
    t.equal(reply.headers.get('etag'), etag)
  }
  t.match(await ada.get(url, { 'if-none-match': '"other"' }), { status: 200 })
  const head = await ada.request('HEAD', url)
  t.match(head, { status: 200, text: '' })
  t.equal(head.headers.get('content-length'), '10')
  t.match(await ada.request('HEAD', `/v1/files/${body.data.id}`), { status: 200, text: '' })
})

t.test('what is wrong with an upload is said, and nothing is kept', async (t) => {
  const before = await counted()
  const refuses = async (
    body: Uint8Array | string,
    status: number,
    error: object,
    headers: Record<string, string> = FORM
  ) => t.match(await ada.request('POST', '/v1/files/upload', { body, headers }), { status, body: { error } })
  await refuses('{}', 415, { type: 'unsupported_media_type' }, { 'content-type': 'application/json' })
  await refuses('', 415, {}, {})
  await refuses('x', 400, { param: '' }, { 'content-type': 'multipart/form-data' })
  await refuses('nothing of the sort', 400, { param: '' })
  await refuses(bodyOf([]), 400, { param: '/file' })
  await refuses(bodyOf([{ ...part('a.txt', 'x'), field: 'document' }]), 400, { param: '/document' })
  const field =
    '--ab0123456789\r\nContent-Disposition: form-data; name="file"\r\n\r\nx\r\n--ab0123456789--\r\n'
  await refuses(field, 400, { param: '/file', message: /is not a file/ })
  await refuses(bodyOf([part('a.txt', 'x')]).subarray(0, -12), 400, { param: '' })
  const large = part('large.bin', randomBytes(300_001))
  await refuses(bodyOf([part('small.txt', 'x'), large]), 413, { type: 'request_too_large' })
  const many = Array.from({ length: 11 }, (_, n) => part(`${n}.txt`, `${n}`))
  await refuses(bodyOf(many), 413, { code: 'too_many_files' })
  t.same(await counted(), before)
  t.equal((await upload(ada, many.slice(1))).status, 201)
  t.match(await ada.post('/v1/files/upload?name=x', {}), { status: 400, body: { error: { param: 'name' } } })
})

t.test('a file is of its owner alone', async (t) => {
  const { body } = await upload(ada, [part('secret.txt', 'secret')])
  const paths = [`/v1/files/${body.data.id}`, `/v1/files/${body.data.id}/content`]
  for (const path of paths) {
    t.match(await anyone.get(path), { status: 401 })
    for (const client of [eve, as('zoe', { project: 'elsewhere', type: 'service' })])
      t.match(await client.get(path), { status: 403, body: { error: { code: 'not_owner' } } })
    for (const id of ['file_nope', 'nope', body.data.id.replace('file_', 'goal_')])
      t.match(await ada.get(path.replace(body.data.id, id)), { status: 404 })
    t.match(await as('desk', { type: 'service' }).get(path), { status: 200 })
    t.match(await as('desk', { type: 'service' }).get(path, { 'x-initiator': 'eve' }), { status: 403 })
  }
  t.match(await anyone.request('POST', '/v1/files/upload', { body: bodyOf([]), headers: FORM }), {
    status: 401
  })
  const desk = as('desk', { type: 'service' })
  const made = await upload(desk, [part('a.txt', 'x')], { 'x-initiator': 'eve' })
  t.match(made.body.data, { owner: 'eve' })
  t.match(await eve.get(`/v1/files/${made.body.data.id}`), { status: 200 })

  const { id: agentId } = await ada.agent()
  const agent = as(agentId, { type: 'agent' })
  const own = await upload(agent, [part('note.txt', 'mine')])
  t.match(own, { status: 201, body: { data: { owner: 'ada' } } })
  t.match(await agent.get(`/v1/files/${own.body.data.id}/content`), { status: 200, text: 'mine' })
  t.match(await agent.get(paths[0] as string), { status: 403 })
  const narrowed = as('ada', { scopes: ['goals:read'] })
  t.match(await narrowed.get(paths[0] as string), { status: 403, body: { error: { code: 'scope_missing' } } })
})

t.test('an Idempotency-Key uploads once', async (t) => {
  const headers = { 'idempotency-key': 'once' }
  const first = await upload(ada, [part('once.txt', 'once')], headers)
  const before = await counted()
  const again = await upload(ada, [part('once.txt', 'once')], headers)
  t.match(again, { status: 201, body: first.body })
  t.equal(again.headers.get('idempotency-replayed'), 'true')
  const other = await upload(ada, [part('once.txt', 'twice')], headers)
  t.match(other, { status: 409, body: { error: { code: 'idempotency_key_reused' } } })
  t.same(await counted(), before)
  t.match(await upload(eve, [part('once.txt', 'eve')], headers), { status: 201 }, 'a key is of its principal')
  const wrong = await upload(ada, [part('once.txt', 'once')], { 'idempotency-key': 'a b' })
  t.match(wrong, { status: 400, body: { error: { param: 'idempotency-key' } } })
})

t.test('the quota of an owner holds exactly, however many upload at once', async (t) => {
  const [bob, kim] = [as('bob'), as('kim')]
  const bytes = randomBytes(150_000)
  const replies = await Promise.all(
    Array.from({ length: 10 }, (_, n) => upload(bob, [part(`${n}.bin`, bytes)]))
  )
  t.same(
    replies.map(({ status }) => status).sort(),
    [201, 201, 201, 201, 201, 201, 507, 507, 507, 507],
    'six times 150,000 of 1,000,000 bytes'
  )
  const refused = replies.find(({ status }) => status === 507)
  t.match(refused?.body, { error: { type: 'insufficient_storage', code: 'quota_exceeded' } })
  t.match(await platform.knex('files.usage').where({ owner: 'bob' }).first(), { bytes: '900000', files: '6' })
  t.match(await upload(bob, [part('fits.bin', randomBytes(100_000))]), { status: 201 })
  t.match(await upload(bob, [part('x', 'x')]), { status: 507 }, 'full to the byte')
  const objects = await platform
    .knex('storage.object')
    .where({ sha256: createHash('sha256').update('x').digest('hex') })
  const held = await platform.knex('storage.reference').whereIn(
    'sha256',
    objects.map(({ sha256 }) => sha256)
  )
  t.equal(objects.length, held.length > 0 ? 1 : 0, 'what was not kept is not there')
  t.match(await upload(kim, [part('x', 'x')]), { status: 201 }, 'each owner has its own')
})
