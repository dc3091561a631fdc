import { buffer } from 'node:stream/consumers'
import type { Test } from 'tap'
import t from 'tap'
import { ZipFile } from 'yazl'
import { boot } from '../../../test/boot.ts'
import { docx, pdf } from '../../../test/file-formats.ts'
import { until } from '../../../test/packs/stage.ts'

const { as, settled, platform } = await boot(t, 'knowledge', 'extraction')
const [ada, eve] = [as('ada'), as('eve')]
const refuses = (status: number, error: object = {}) => ({ status, body: { error } })

async function space() {
  const { id } = (await ada.post('/v1/knowledge', { name: 'Handbook' })).body.data
  return { id: id as string, url: `/v1/knowledge/${id}` }
}
const zipOf = (files: Record<string, string | Buffer>) => {
  const zip = new ZipFile()
  for (const [path, text] of Object.entries(files)) zip.addBuffer(Buffer.from(text), path)
  zip.end()
  return buffer(zip.outputStream as never)
}
const sent = (url: string, body: string | Uint8Array, type: string) =>
  ada.request('POST', url, { body, headers: { 'content-type': type } })

t.test('a few files are documents when the request returns, with their folders and links', async (t) => {
  const { url } = await space()
  const files = [
    { path: 'Home.md', content: '# Welcome\n\n[[Setup]] and [there](guides/deep/linux.md) #start' },
    { path: 'guides/Setup.md', content: '---\ntitle: Set it up\n---\nBack [home](../Home.md)' },
    { path: 'guides/deep/linux.md', content: 'Penguins' },
    { path: 'image.png', content: 'x' }
  ]
  const { body, status } = await ada.post(`${url}/import`, { files })
  t.equal(status, 200)
  t.match(body.data, { status: 'completed', total: 3, created: 3, failed: 0, skipped: 1, errors: [] })
  t.match(body.data.skippedFiles, [{ path: 'image.png', code: 'no_text', message: /image/ }])
  t.same((await ada.get(`${url}/imports/${body.data.id}`)).body.data, body.data)
  const { data } = (await ada.get(`${url}/documents`)).body
  t.same(
    data.map(({ title, path }: { title: string; path: string }) => [path, title]).sort(),
    [
      ['Home.md', 'Welcome'],
      ['guides/Setup.md', 'Set it up'],
      ['guides/deep/linux.md', 'linux']
    ].sort()
  )
  const graph = (await ada.get(`${url}/graph`)).body.data
  t.equal(graph.edges.length, 3)
  t.same(graph.unresolved, [])
  t.match((await ada.get(`${url}/search?query=penguins`)).body.data, [{ path: 'guides/deep/linux.md' }])

  const again = await ada.post(`${url}/import`, { files })
  t.match(again.body.data, { created: 0, updated: 0, unchanged: 3 }, 'the same again is no work')
  files[2] = { path: 'GUIDES/deep/linux.md', content: 'Penguins and gnus' }
  t.match((await ada.post(`${url}/import`, { files })).body.data, { updated: 1, unchanged: 2 })
  t.match((await ada.get(`${url}/documents?path=guides/deep/linux.md`)).body.data, [{ version: 2 }])
})

t.test('archives, forms and single files are imported alike, below a folder', async (t) => {
  const { url } = await space()
  const folder = (await ada.post(`${url}/folders`, { name: 'in' })).body.data
  const zip = await zipOf({ 'a/one.md': 'One', 'two.txt': 'Two', 'pic.png': 'x', '.hidden/x.md': 'x' })
  const zipped = await sent(`${url}/import?folderId=${folder.id}`, zip, 'application/zip')
  t.match(zipped.body.data, { status: 'completed', created: 2, skipped: 2, folderId: folder.id })
  t.match((await sent(`${url}/import?path=three.md`, 'Three', 'text/markdown')).body.data, { created: 1 })
  const form = new FormData()
  form.append('file', new Blob(['Four']), 'four.md')
  form.append('file', new Blob([new Uint8Array(zip)]), 'more.zip')
  const encoded = new Response(form)
  const type = encoded.headers.get('content-type') ?? ''
  const bytes = new Uint8Array(await encoded.arrayBuffer())
  t.match((await sent(`${url}/import`, bytes, type)).body.data, { created: 3 })
  const paths = (await ada.get(`${url}/documents`)).body.data.map(({ path }: { path: string }) => path).sort()
  t.same(paths, ['a/one.md', 'four.md', 'in/a/one.md', 'in/two.txt', 'three.md', 'two.txt'])
})

t.test('what cannot be imported is told, and keeps nothing else out', async (t) => {
  const { url } = await space()
  await ada.post(`${url}/folders`, { name: 'taken.md' })
  const deep = `${'d/'.repeat(17)}x.md`
  const zip = await zipOf({
    'good.md': 'Good',
    'bad.md': Buffer.from([0xff, 0xfe, 0xfd]),
    'taken.md': 'x',
    [deep]: 'x'
  })
  const { data } = (await sent(`${url}/import`, zip, 'application/zip')).body
  t.match(data, { status: 'completed', created: 1, failed: 3 })
  t.same(data.errors.map(({ code }: { code: string }) => code).sort(), [
    'bad_folder',
    'encoding_unknown',
    'name_taken'
  ])
})

t.test('each file that is skipped is listed with its reason, hidden files last', async (t) => {
  const { url } = await space()
  const zip = await zipOf({
    '.obsidian/app.json': '{}',
    'sheet.xlsx': 'PK',
    'scans/page.JPG': 'x',
    README: 'x',
    'more/inner.zip': 'x',
    'good.md': 'Good'
  })
  const { data } = (await sent(`${url}/import`, zip, 'application/zip')).body
  t.match(data, { status: 'completed', created: 1, skipped: 5, errors: [], warnings: [] })
  t.same(
    data.skippedFiles.map(({ path, code }: { path: string; code: string }) => [path, code]),
    [
      ['sheet.xlsx', 'format_unsupported'],
      ['scans/page.JPG', 'no_text'],
      ['README', 'format_unsupported'],
      ['more/inner.zip', 'format_unsupported'],
      ['.obsidian/app.json', 'hidden']
    ]
  )
  t.match(data.skippedFiles[0].message, /\.md.*\.pdf/, 'with the formats that are read')
  t.same((await ada.get(`${url}/imports/${data.id}`)).body.data, data)
  const { data: told } = await platform
    .knex('kernel.fact')
    .where({ name: 'knowledge.imported' })
    .orderBy('position', 'desc')
    .first()
  t.same(told.skippedFiles, data.skippedFiles, 'and so does the event')
  const many = Array.from({ length: 1_001 }, (_, n) => ({ path: `p${n}.bin`, content: 'x' }))
  const large = (await ada.post(`${url}/import`, { files: many })).body.data
  t.match(large, { status: 'completed', skipped: 1_001, skippedFiles: { length: 1_000 } })
})

t.test('a file without text becomes a failed document with a reason', async (t) => {
  const { url } = await space()
  const form = async (files: Record<string, string | Uint8Array>) => {
    const body = new FormData()
    for (const [name, bytes] of Object.entries(files)) body.append('file', new Blob([bytes as string]), name)
    const encoded = new Response(body)
    const type = encoded.headers.get('content-type') ?? ''
    return (await sent(`${url}/import`, new Uint8Array(await encoded.arrayBuffer()), type)).body.data
  }
  const documentAt = async (path: string) => {
    const [found] = (await ada.get(`${url}/documents?path=${path}`)).body.data
    return (await ada.get(`${url}/documents/${found.id}`)).body.data
  }
  const files = {
    'scan.pdf': pdf(['', '']),
    'shots.docx': await docx(''),
    'empty.html': '<script>x</script>',
    'part.pdf': pdf(['Terms', '']),
    'note.md': ''
  }
  const first = await form(files)
  t.match(first, { status: 'completed', total: 5, created: 2, failed: 3, unchanged: 0 })
  t.same(
    first.errors.map(({ path, code }: { path: string; code: string }) => [path, code]),
    [
      ['scan.pdf', 'no_text'],
      ['shots.docx', 'no_text'],
      ['empty.html', 'no_text']
    ]
  )
  t.match(first.warnings, [
    { path: 'scan.pdf', message: 'Pages without text: 1, 2' },
    { path: 'part.pdf', message: 'Pages without text: 2' }
  ])
  t.match(await documentAt('scan.pdf'), {
    status: 'failed',
    content: /^\s*$/,
    version: 1,
    error: { code: 'no_text', message: /No text was found/ }
  })
  t.match(await documentAt('part.pdf'), { status: 'ready', error: null })
  t.match(await documentAt('note.md'), { status: 'ready', error: null }, 'a note may be empty')

  t.match(await form(files), { created: 0, updated: 0, unchanged: 2, failed: 3 }, 'again')
  t.equal((await documentAt('scan.pdf')).version, 1, 'is the same version')
  t.match(await form({ 'scan.pdf': pdf(['Contract']) }), { updated: 1, failed: 0 }, 'with its text')
  t.match(await documentAt('scan.pdf'), { status: 'ready', error: null, content: 'Contract', version: 2 })
  t.match(await form({ 'scan.pdf': pdf(['']) }), { updated: 0, failed: 1 })
  t.match(await documentAt('scan.pdf'), { status: 'failed', version: 3 }, 'and without it')
})

t.test('reads notes and plain text in legacy encodings', async (t) => {
  const { url } = await space()
  const zip = await zipOf({
    'latin.txt': Buffer.from('Grüße aus Köln', 'latin1'),
    'utf16.md': Buffer.from('\ufeff# Grüße', 'utf16le'),
    'unmarked.txt': Buffer.from('Grüße aus Köln', 'utf16le'),
    'russian.md': Buffer.from('f2c1d3c8cfc4d920cec120d0cfc5dac4cbc920d0cfc4c1c0d4d3d1', 'hex'),
    'marked.md': '\ufeff# Plain'
  })
  const { data } = (await sent(`${url}/import`, zip, 'application/zip')).body
  t.match(data, { created: 5, failed: 0 })
  const texts = await platform.knex('knowledge.content').pluck('text')
  for (const text of ['Grüße aus Köln', '# Grüße', 'Расходы на поездки подаются', '# Plain'])
    t.ok(texts.includes(text), text)
  t.match(
    data.warnings.find(({ path }: { path: string }) => path === 'latin.txt'),
    { message: /windows-1252/ }
  )
})

t.test('a request that is wrong is refused', async (t) => {
  const { url, id } = await space()
  const files = [{ path: 'a.md', content: 'a' }]
  t.match(await eve.post(`${url}/import`, { files }), refuses(403))
  t.match(await ada.post('/v1/knowledge/space_nope/import', { files }), refuses(404))
  t.match(
    await ada.post(`${url}/import?folderId=folder_nope`, { files }),
    refuses(404, { param: 'folderId' })
  )
  t.match(await ada.post(`${url}/import`, {}), refuses(400, { param: '/files' }))
  t.match(await ada.post(`${url}/import`, { files: [{ path: 'a.md' }] }), refuses(400))
  for (const path of ['../a.md', 'a//b.md', '/..', 'a\\b.md'])
    t.match(
      await ada.post(`${url}/import`, { files: [{ path, content: '' }] }),
      refuses(400, { param: '/files/0/path' })
    )
  t.match(await sent(`${url}/import`, 'x', 'text/markdown'), refuses(400, { param: 'path' }))
  t.match(await sent(`${url}/import`, 'x', 'image/png'), refuses(415))
  const flood = `${'--x\r\nContent-Disposition: form-data; name="file"; filename="a.md"\r\n\r\na\r\n'.repeat(1_001)}--x--`
  const tooMany = await sent(`${url}/import`, flood, 'multipart/form-data; boundary=x')
  t.match(tooMany, refuses(400, { message: /too many parts/ }))
  t.match(
    await sent(`${url}/import`, 'no archive', 'application/zip'),
    refuses(400, { code: 'archive_broken' })
  )
  t.match(
    await ada.post(`${url}/import`, { fileIds: ['file_nope'] }),
    refuses(503, { code: 'capability_missing' })
  )
  t.match(await ada.get(`${url}/imports/import_nope`), refuses(404))
  t.match(await eve.get(`${url}/imports/import_nope`), refuses(403))
  t.same(await platform.knex('knowledge.document').where({ spaceId: id }), [])
})

t.test('many are imported behind the request, with progress', async (t) => {
  const { url, id } = await space()
  const files = Array.from({ length: 120 }, (_, n) => ({
    path: `f${n % 7}/p${n}.md`,
    content: `Page ${n} [[p${n + 1}]]`
  }))
  const begun = (await ada.post(`${url}/import`, { files })).body.data
  t.match(begun, { status: 'running', total: 120, created: 0 })
  let now = begun
  while (now.status === 'running') now = (await ada.get(`${url}/imports/${begun.id}`)).body.data
  t.match(now, { status: 'completed', created: 120, failed: 0 })
  const graph = (await ada.get(`${url}/graph`)).body.data
  t.match(graph, { edges: { length: 119 }, unresolved: [{ target: 'p120' }] })
  await ada.delete(url)
  await settled()
  t.same(await platform.knex('knowledge.import').where({ spaceId: id }), [])
})

/** From the first batch on, the grant is gone: in the commit that makes its documents. */
async function revokedMeanwhile(t: Test, grantId: string) {
  const { knex } = platform
  await knex.raw(`create function public.revoke_meanwhile() returns trigger language plpgsql as $$ begin
    delete from knowledge.space_grant where id = '${grantId}'; return new; end $$`)
  await knex.raw(`create trigger revoke_meanwhile after update on knowledge.import
    for each row when (new.created > 0) execute function public.revoke_meanwhile()`)
  t.teardown(() => knex.raw('drop function public.revoke_meanwhile cascade'))
}
const pages = Array.from({ length: 120 }, (_, n) => ({ path: `p${n}.md`, content: `Page ${n}` }))
async function imported(client: typeof ada, url: string, headers?: Record<string, string>) {
  const { body, status } = await client.post(`${url}/import`, { files: pages }, headers)
  if (status !== 200) throw new Error(JSON.stringify(body))
  const at = `${url}/imports/${body.data.id}`
  return until(
    async () => (await ada.get(at)).body.data as { status: string; created: number },
    (now) => now.status !== 'running'
  )
}
const granted = async (url: string, subjectType: string, subjectId: string, level = 'write') =>
  (await ada.post(`${url}/grants`, { subjectType, subjectId, level })).body.data.id as string

t.test('a grant that is revoked in the middle of an import ends it', async (t) => {
  const { url, id } = await space()
  await revokedMeanwhile(t, await granted(url, 'user', 'eve'))
  t.match(await imported(eve, url), { status: 'failed', created: 50 })
  t.equal(
    (await platform.knex('knowledge.document').where({ spaceId: id })).length,
    50,
    'what was made stays'
  )
  t.same(await platform.knex('knowledge.import_file').select('path'), [], 'and nothing waits')
  t.match(await eve.post(`${url}/import`, { files: pages }), refuses(403, { code: 'not_owner' }))
})

t.test('an agent imports by its own grant, whatever its owner may', async (t) => {
  const { url } = await space()
  const { id } = await ada.agent()
  const agent = as(id, { type: 'agent', owner: 'ada' })
  const grantId = await granted(url, 'agent', id)
  t.match(await imported(agent, url), { status: 'completed', created: 120 })
  const other = await space()
  await granted(other.url, 'agent', id)
  await ada.delete(`${url}/grants/${grantId}`)
  t.match(await agent.post(`${url}/import`, { files: pages }), refuses(403))
  await revokedMeanwhile(t, (await ada.get(`${other.url}/grants`)).body.data[0].id)
  t.match(await imported(agent, other.url), { status: 'failed', created: 50 })
})

t.test('a service imports for whom it acts, by what that one was granted', async (t) => {
  const { url } = await space()
  await granted(url, 'user', 'max')
  const desk = as('desk', { type: 'service' })
  t.match(await imported(desk, url, { 'x-initiator': 'max' }), { status: 'completed', created: 120 })
})
