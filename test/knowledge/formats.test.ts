// budget: 6 s, because documents are read by another process
import t from 'tap'
import { boot } from '../boot.ts'
import { docx, paragraph, pdf, zip } from '../file-formats.ts'
import { part, upload } from '../uploads.ts'

const { as, platform } = await boot(t, 'knowledge', 'extraction', 'files')
const [ada, eve] = [as('ada'), as('eve')]
const refuses = (status: number, error: object = {}) => ({ status, body: { error } })

async function space() {
  const { id } = (await ada.post('/v1/knowledge', { name: 'Handbook' })).body.data
  return { id: id as string, url: `/v1/knowledge/${id}` }
}
/** The ids of files of that content. */
async function uploaded(files: Readonly<Record<string, string | Uint8Array>>, client = ada) {
  const ids: string[] = []
  for (const [name, bytes] of Object.entries(files))
    ids.push((await upload(client, [part(name, bytes)])).body.data.id)
  return ids
}
const pages = pdf(['The lighthouse stands on the cape.', 'It was built of granite.', 'Its keeper has a cat.'])
const encrypted = pdf(
  ['Secret'],
  undefined,
  `/Encrypt << /Filter /Standard /V 1 /R 2 /O <${'41'.repeat(32)}> /U <${'42'.repeat(32)}> /P -4 >> /ID [<41> <41>]`
)

t.test('files of each format are found by their text, with the page where there are pages', async (t) => {
  const { url } = await space()
  const fileIds = await uploaded({
    'tower.pdf': pages,
    'letter.docx': await docx(paragraph('Greetings', 'Heading1') + paragraph('The walrus sends regards.')),
    'page.html': '<h1>Menu</h1><script>alert(1)</script><p>Today there is <b>goulash</b>.</p>',
    'table.csv': 'bird,colour\nflamingo,pink\n'
  })
  const { data } = (await ada.post(`${url}/import`, { fileIds })).body
  t.match(data, { status: 'completed', total: 4, created: 4, failed: 0, errors: [] })
  const found = async (query: string) => (await ada.get(`${url}/search?query=${query}`)).body.data[0]
  for (const [query, path, text, page] of [
    ['granite', 'tower.pdf', /^It was built of granite\.\s*$/, 2],
    ['keeper', 'tower.pdf', /^Its keeper has a cat\.\s*$/, 3],
    ['walrus', 'letter.docx', /# Greetings\s+The walrus/, null],
    ['goulash', 'page.html', /# Menu\s+Today there is \*\*goulash\*\*/, null],
    ['flamingo', 'table.csv', /flamingo \| pink/, null]
  ] as const) {
    const hit = await found(query)
    t.match(hit, { path, page, version: 1, text }, path)
    const document = (await ada.get(`${url}/documents/${hit.documentId}?version=1`)).body.data
    t.equal(document.content.slice(hit.start, hit.end), hit.text)
    t.ok(fileIds.includes(document.fileId))
    t.notMatch(document.content, 'alert')
  }
  t.match((await ada.post(`${url}/import`, { fileIds })).body.data, { created: 0, unchanged: 4 })
})

t.test('a long text has its pages too, when a job has read it', async (t) => {
  const { url } = await space()
  const filler = Array.from({ length: 25 }, () => 'word '.repeat(20)).join('\n')
  const long = pdf([...Array.from({ length: 40 }, () => filler), 'At last a platypus.'])
  const [fileId] = await uploaded({ 'long.pdf': long })
  const begun = (await ada.post(`${url}/import`, { fileIds: [fileId] })).body.data
  let now = begun
  while (now.status === 'running') now = (await ada.get(`${url}/imports/${begun.id}`)).body.data
  let [document] = (await ada.get(`${url}/documents`)).body.data
  while (document.status === 'processing')
    document = (await ada.get(`${url}/documents/${document.id}`)).body.data
  t.match(document, { status: 'ready', progress: 100 })
  t.ok(document.size > 65_536, 'longer than what is read while the request waits')
  t.match((await ada.get(`${url}/search?query=platypus`)).body.data, [{ page: 41 }])
})

t.test('a file that cannot be read is an error of its own, with its reason', async (t) => {
  const { url } = await space()
  const fileIds = await uploaded({
    'good.pdf': pages,
    'broken.pdf': '%PDF-1.7\nnothing more',
    'locked.pdf': encrypted,
    'broken.docx': await zip({ 'word/document.xml': '<w:document' })
  })
  const { data } = (await ada.post(`${url}/import`, { fileIds })).body
  t.match(data, { status: 'completed', created: 1, failed: 3 })
  const errors = new Map(data.errors.map((it: { path: string }) => [it.path, it]))
  t.match(errors.get('broken.pdf'), { code: 'document_broken', message: /\w/ })
  t.match(errors.get('locked.pdf'), { code: 'document_encrypted', message: /password|encrypted/i })
  t.match(errors.get('broken.docx'), { code: 'document_broken', message: /\w/ })
  t.match((await ada.get(`${url}/documents`)).body.data, [{ path: 'good.pdf' }])

  const [theirs] = await uploaded({ 'theirs.pdf': pages }, eve)
  const param = '/fileIds/0'
  t.match(await ada.post(`${url}/import`, { fileIds: [theirs] }), refuses(403))
  t.match(await ada.post(`${url}/import`, { fileIds: ['file_nope'] }), refuses(404, { param }))
})

t.test('HTML is imported, and not written as a document', async (t) => {
  const { url } = await space()
  const body = '<title>Hours</title><h1>Open</h1><p>From nine.</p>'
  const headers = { 'content-type': 'text/html; charset=utf-8' }
  const sent = await ada.request('POST', `${url}/import?path=hours.html`, { body, headers })
  t.match(sent.body.data, { created: 1 })
  t.match((await ada.get(`${url}/documents`)).body.data, [{ mediaType: 'text/html', title: 'Open' }])
  t.match(
    await ada.post(`${url}/documents`, { title: 'Hours', content: body, mediaType: 'text/html' }),
    refuses(400, { param: '/mediaType', code: 'import_instead', message: /POST .*\/import/ })
  )
})

t.test(
  'a document that could not be made searchable says so, and is read when it is sent again',
  async (t) => {
    const { url } = await space()
    const { knex } = platform
    await knex.raw(`create function refuse_passage() returns trigger language plpgsql as
    $$ begin if new.text like 'jinx%' then raise 'no room'; end if; return new; end $$`)
    await knex.raw(
      'create trigger refuse before insert on knowledge.passage for each row execute function refuse_passage()'
    )
    const content = `jinx ${'long text '.repeat(8_000)}`
    const made = (await ada.post(`${url}/documents`, { title: 'Long', content })).body.data
    const path = `${url}/documents/${made.id}`
    const read = async () => (await ada.get(path)).body.data
    let now = made
    while (now.status !== 'failed') now = await read()
    t.match(now, { error: { code: 'indexing_failed', message: /tried again/ } })
    t.match((await ada.get(`${url}/documents?status=failed`)).body.data, [{ id: made.id }])
    await knex.raw('drop function refuse_passage cascade')
    await ada.patch(path, { content })
    while (now.status !== 'ready') now = await read()
    t.match(now, { error: null, progress: 100 })
    t.match((await ada.get(`${url}/search?query=jinx`)).body.data, [{ documentId: made.id }])
  }
)
