import sharp from 'sharp'
import t from 'tap'
import { boot } from '../../../test/boot.ts'
import { appOf } from './testbed.ts'

const { as, anyone, admin, url, settled, platform } = await boot(t, 'ui-plugins', 'extraction')
const [ada, eve] = [as('ada'), as('eve')]
const path = '/v1/ui-plugins'
const at = `${path}/weather-desk`
const refuses = (status: number, code?: string, param?: string) => ({
  status,
  body: { error: { ...(code && { code }), ...(param && { param }) } }
})
const picture = (background: string) =>
  sharp({ create: { width: 900, height: 600, channels: 3, background } })
    .withExif({ IFD0: { Copyright: 'a person' } })
    .png()
    .toBuffer()
const [red, blue] = [await picture('#c22'), await picture('#22c')]
const withIcon = (version: string, icon: Buffer) =>
  appOf({ version, icon: 'icon.png' }, { 'icon.png': { base64: icon.toString('base64') } })
const set = (icon: Buffer | string | null, by = ada, headers = {}) =>
  by.put(`${at}/appearance`, { icon: icon && { base64: Buffer.from(icon).toString('base64') } }, headers)
const shown = async () => {
  const reply = await fetch(`${url}${at}/icon`, { headers: { authorization: `Bearer ${await ada.key()}` } })
  return { status: reply.status, headers: reply.headers, bytes: Buffer.from(await reply.arrayBuffer()) }
}
const colourOf = async (bytes: Buffer) => (await sharp(bytes).stats()).dominant

t.test('an app has the icon of its manifest, made anew', async (t) => {
  await ada.put(path, appOf())
  t.match(await ada.get(`${at}/icon`), refuses(404, 'icon_missing'))
  const { body } = await ada.put(path, withIcon('1.1.0', red))
  const { status, headers, bytes } = await shown()
  t.match({ status, type: headers.get('content-type') }, { status: 200, type: 'image/webp' })
  t.equal(headers.get('etag'), `"${body.data.icon}"`)
  const { format, width, height, exif } = await sharp(bytes).metadata()
  t.same({ format, width, height, exif }, { format: 'webp', width: 512, height: 512, exif: undefined })
  t.match(await colourOf(bytes), { r: /2\d\d|1[89]\d/ })
  t.match(await ada.get(`${at}/icon`, { 'if-none-match': `"${body.data.icon}"` }), { status: 304, text: '' })
  t.match(await ada.request('HEAD', `${at}/icon`), { status: 200, text: '' })
  const svg = appOf(
    { version: '1.2.0', icon: 'icon.svg' },
    { 'icon.svg': { text: '<svg xmlns="http://www.w3.org/2000/svg"/>' } }
  )
  t.match(await ada.put(path, svg), refuses(415, undefined, '/manifest/icon'))
})

t.test('people set another one, and reset it', async (t) => {
  const before = (await ada.get(at)).body.data
  const changed = await set(blue)
  t.equal(changed.status, 200)
  t.not(changed.body.data.icon, before.icon)
  t.match(await colourOf((await shown()).bytes), { b: /2\d\d|1[89]\d/ })
  t.equal((await set(blue)).body.data.version, changed.body.data.version, 'the same again is no edit')
  t.match(await set(red, ada, { 'if-match': '"1"' }), refuses(412))
  t.equal((await set(null, admin)).body.data.icon, before.icon, 'a maintainer may, too')
  await settled()
  const held = await platform.knex('storage.reference').where('holder', 'like', 'ui-plugins/icon/%')
  t.same(held, [], 'nothing is held any longer')
})

t.test('nobody else does, and not with anything', async (t) => {
  t.match(await set(red, eve), refuses(403, 'not_owner'))
  t.match(await eve.get(`${at}/icon`), refuses(403))
  t.match(await set(red, anyone), refuses(401))
  t.match(await anyone.get(`${at}/icon`), refuses(401))
  t.match(await set(red, as('zoe', { project: 'elsewhere' })), refuses(404))
  t.match(await ada.put(`${path}/unheard-of/appearance`, { icon: null }), refuses(404))
  t.match(await ada.get(`${path}/unheard-of/icon`), refuses(404))
  t.match(
    await set('<svg xmlns="http://www.w3.org/2000/svg"></svg>'),
    refuses(415, undefined, '/icon/base64')
  )
  t.match(await set('GIF89a'), refuses(415))
  t.match(await set(red.subarray(0, 100)), refuses(400, 'image_unreadable', '/icon/base64'))
  t.match(
    await ada.put(`${at}/appearance`, { icon: { base64: '*' } }),
    refuses(400, undefined, '/icon/base64')
  )
  t.match(await ada.put(`${at}/appearance`, {}), refuses(400, undefined, '/icon'))
  t.match(await ada.put(`${at}/appearance`, { icon: null, unheard: 1 }), refuses(400, undefined, '/unheard'))
})
