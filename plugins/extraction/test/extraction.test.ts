// budget: 8 s, because processes are started
import t from 'tap'
import { boot } from '../../../test/boot.ts'
import { pdf } from '../../../test/file-formats.ts'
import { temporaryFolder, writeFiles } from '../../../test/pack-folders.ts'

/** A pack that asks, and one that brings a format. */
const asking = {
  'readings/pack.ts': `import { definePack } from 'agent-platform'
import { Type } from 'typebox'
export default definePack({
  name: 'readings', area: 'Test', summary: 'asks', requires: ['extraction'],
  routes: (app, { extraction }) => void app.post('/readings', {
    schema: { tags: ['readings'], summary: 'Read', body: Type.Object({ name: Type.String(), base64: Type.String() }), response: { 200: Type.Object({ data: Type.Unknown() }) } }
  }, async ({ principal, body }) => ({
    data: await extraction.text(principal, { name: body.name, mediaType: '', content: Buffer.from(body.base64, 'base64'), param: '/base64' })
  }))
})`,
  'rot/pack.ts': `import { definePack } from 'agent-platform'
export default definePack({
  name: 'rot', area: 'Test', summary: 'brings a format',
  contributes: { 'extraction.format': [{ make: () => ({
    mediaTypes: ['text/x-rot'], extensions: ['.rot'], gives: { text: true, preview: false },
    module: new URL('./rot-format.ts', import.meta.url).href
  }) }] }
})`,
  'rot/rot-format.ts': `import { key } from './key.ts'
export const text = ({ bytes }) => {
  if (bytes[0] === 33) throw Object.assign(new Error('is not turned'), { code: 'document_broken' })
  if (bytes[0] === 63) throw new Error('secret of the library')
  return { text: Buffer.from(bytes).toString().replace(/[a-z]/g, (it) => String.fromCharCode(97 + (it.charCodeAt(0) - 97 + key) % 26)) + Object.keys(process.env).includes('HOME') }
}`,
  'rot/key.ts': 'export const key = 13'
}

t.test('a pack asks by the service, with formats that other packs bring', async (t) => {
  const folder = await writeFiles(await temporaryFolder(t), asking)
  const { as } = await boot(t, {
    packs: ['access', 'agents', 'extraction', 'readings', 'rot'],
    folders: [folder]
  })
  const read = (name: string, content: string | Buffer) =>
    as('ada').post('/v1/readings', { name, base64: Buffer.from(content).toString('base64') })

  t.match(await read('a.pdf', pdf(['Hello'])), {
    status: 200,
    body: { data: { text: 'Hello', pageCount: 1 } }
  })
  t.match(await read('a.rot', 'uryyb '), { status: 200, body: { data: { text: 'hello false' } } })
  const failed = (type: string, code: string, message: RegExp) => ({
    error: { type, code, message, param: '/base64' }
  })
  t.match(await read('a.rot', '!'), {
    status: 400,
    body: failed('invalid_request_error', 'document_broken', /^The document is not turned$/)
  })
  const untold = await read('a.rot', '?')
  t.match(untold, { status: 400, body: failed('invalid_request_error', 'document_broken', /is broken/) })
  t.notMatch(JSON.stringify(untold.body), /secret/)
  t.match(await read('a.bin', 'x'), {
    status: 415,
    body: failed('unsupported_media_type', 'format_unsupported', /Cannot extract text .*octet-stream/)
  })
})
