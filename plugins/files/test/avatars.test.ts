// budget: 5 s, because an image of 64 megapixels is made
import sharp from 'sharp'
import t from 'tap'
import { boot } from '../../../test/boot.ts'
import { part, upload } from '../../../test/uploads.ts'

const booted = await boot(t, 'files', 'extraction', { env: { FILES_AVATAR_BYTES: '400000' } })
const { as, anyone, platform, settled } = booted
const [ada, eve] = [as('ada'), as('eve')]
const picture = (width = 800, height = 600) =>
  sharp({ create: { width, height, channels: 3, background: { r: 200, g: 30, b: 30 } } })
const pathOf = async (client = ada) => `/v1/agents/${(await client.agent()).id}/avatar`
const read = async (path: string) => {
  const reply = await fetch(booted.url + path, { headers: { authorization: `Bearer ${await ada.key()}` } })
  return { reply, bytes: Buffer.from(await reply.arrayBuffer()) }
}

t.test('an image becomes the avatar of an agent, made anew and without metadata', async (t) => {
  const path = await pathOf()
  t.match(await ada.get(path), {
    status: 404,
    body: { error: { message: 'Avatar not found', code: 'avatar_missing' } }
  })
  const jpeg = await picture()
    .withExif({ IFD0: { Copyright: 'secret place' }, IFD3: { GPSLatitude: '52/1 31/1 0/1' } })
    .jpeg()
    .toBuffer()
  t.match(jpeg.toString('latin1'), /secret place/)
  for (const image of [jpeg, await picture().png().toBuffer(), await picture().webp().toBuffer()]) {
    const { status, body } = await upload(ada, [part('me', image)], {}, path)
    t.equal(status, 201)
    const { reply, bytes } = await read(path)
    t.equal(reply.headers.get('content-type'), 'image/webp')
    t.equal(reply.headers.get('etag'), `"${body.data.sha256}"`)
    t.equal(bytes.length, body.data.size)
    const { format, width, height, exif } = await sharp(bytes).metadata()
    t.match({ format, width, height }, { format: 'webp', width: 512, height: 512 })
    t.equal(exif, undefined)
    t.notMatch(bytes.toString('latin1'), /secret place/)
  }
  t.match(await ada.request('HEAD', path), { status: 200, text: '' })
  const { sha256 } = await platform.knex('files.avatar').first()
  t.match(await ada.get(path, { 'if-none-match': `"${sha256}"` }), { status: 304 })
  t.equal((await platform.knex('storage.reference')).length, 1, 'one picture is kept')
})

t.test('the agent says that it has one, and what it says is sent back unharmed', async (t) => {
  const path = await pathOf()
  const agentPath = path.replace('/avatar', '')
  const agentId = agentPath.split('/').at(-1) as string
  t.match((await ada.get(agentPath)).body.data, { avatar: null, version: 1 })
  const me = await picture(32, 32).png().toBuffer()
  const both = await Promise.all([1, 2].map(() => upload(ada, [part('me.png', me)], {}, path)))
  t.same(
    both.map(({ status }) => status),
    [201, 201],
    'two at once'
  )
  const { sha256, updatedAt } = await platform.knex('files.avatar').where({ agentId }).first()
  const { body, headers } = await ada.get(agentPath)
  t.same(body.data.avatar, { url: path, sha256, updatedAt })
  t.ok(body.data.version > 1, 'it is an edit')
  t.equal(headers.get('etag'), `"${body.data.version}"`)
  t.match((await ada.get('/v1/agents?limit=1')).body.data, [{ id: agentId, avatar: { sha256 } }])
  t.equal((await ada.get(body.data.avatar.url)).status, 200)

  const forged = { ...body.data, name: 'Grace', avatar: { url: 'http://evil.example/', sha256: '' } }
  t.match((await ada.put(agentPath, forged)).body.data, { name: 'Grace', avatar: { url: path, sha256 } })
  const told = await platform.knex('kernel.fact').where({ name: 'agents.updated', subject: agentId })
  t.equal(told.length, body.data.version, 'those of the picture, and the name')
})

t.test('what is no such image is refused, and nothing is kept', async (t) => {
  const path = await pathOf()
  const refused = async (bytes: Uint8Array | string, status: number, error: object = {}, name = 'me.png') =>
    t.match(await upload(ada, [part(name, bytes, 'image/png')], {}, path), { status, body: { error } })
  await refused('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>', 415)
  await refused('GIF89a\u0001\u0000\u0001\u0000', 415)
  await refused('%PDF-1.7', 415)
  await refused('', 415)
  await refused((await picture().png().toBuffer()).subarray(0, 200), 400, {
    param: '/file',
    code: 'image_unreadable'
  })
  await refused(Buffer.alloc(400_001), 413)
  const bomb = await sharp({ create: { width: 8_000, height: 8_000, channels: 3, background: '#fff' } })
    .png({ palette: true })
    .toBuffer()
  t.ok(bomb.length < 400_000, `${bomb.length} bytes are 64 megapixels`)
  await refused(bomb, 400, { code: 'image_unreadable' })
  const image = part('me.png', await picture().png().toBuffer())
  t.match(await upload(ada, [image, image], {}, path), { status: 413 })
  t.match(await ada.post(path, {}), { status: 415 })
  t.match(await ada.get(path), { status: 404 })
})

t.test('an avatar is of the agent, for those who may', async (t) => {
  const path = await pathOf()
  const image = part('me.png', await picture(64, 64).png().toBuffer())
  t.match(await upload(anyone, [image], {}, path), { status: 401 })
  t.match(await upload(eve, [image], {}, path), { status: 403 })
  t.match(await upload(ada, [image], {}, '/v1/agents/agent_nope/avatar'), { status: 404 })
  t.match(await upload(as('ada', { scopes: ['agents:read'] }), [image], {}, path), { status: 403 })
  t.match(await upload(ada, [image], {}, path), { status: 201, body: { data: { owner: 'ada' } } })
  t.match(await eve.get(path), { status: 403 })
  t.match(await anyone.get(path), { status: 401 })

  t.match(await ada.delete(path.replace('/avatar', '')), { status: 200 })
  t.match(await ada.get(path), { status: 404 })
  await settled()
  const agentId = path.split('/')[3]
  t.same(await platform.knex('files.avatar').where({ agentId }), [])
  t.same(await platform.knex('storage.reference').where({ holder: `files/avatar/${agentId}` }), [])
})
