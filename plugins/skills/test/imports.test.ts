import t from 'tap'
import { zipOf } from '../../../test/archives.ts'
import { boot } from '../../../test/boot.ts'

const booted = await boot(t, 'skills')
const ada = booted.as('ada')

const skillMd = `---
name: pdf-forms
description: >
  Fills forms.
  Use it for PDFs.
license: Apache-2.0
compatibility: Needs pypdf
metadata:
  author: Ada
  version: "1.0"
allowed-tools: Bash(git add:*) Read
model: small
limit: 10
---

# Steps

Read [the fields](references/fields.md).
`
const known = {
  name: 'pdf-forms',
  description: 'Fills forms. Use it for PDFs.',
  license: 'Apache-2.0',
  compatibility: 'Needs pypdf',
  metadata: { author: 'Ada', version: '1.0' },
  allowedTools: ['Bash(git add:*)', 'Read'],
  extensions: { model: 'small', limit: 10 },
  instructions: '# Steps\n\nRead [the fields](references/fields.md).'
}
const image = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0])
const folder = [
  { name: 'pdf-forms/', mode: 0o040755 },
  { name: 'pdf-forms/scripts/fill.py', content: 'print(1)', mode: 0o100755 },
  { name: 'pdf-forms/SKILL.md', content: skillMd },
  { name: 'pdf-forms/references/fields.md', content: '# Fields' },
  { name: 'pdf-forms/assets/logo.png', content: image },
  { name: 'pdf-forms/.DS_Store', content: 'left behind' }
]

const send = (type: string, body: string | Uint8Array, query = '') =>
  ada.request('POST', `/v1/skills/import${query}`, { body, headers: { 'content-type': type } })
const sendJson = (body: unknown) => ada.post('/v1/skills/import', body)

/** As browsers and curl send one. */
async function sendForm(parts: Record<string, string | Uint8Array>) {
  const form = new FormData()
  for (const [name, value] of Object.entries(parts))
    form.append(name, typeof value === 'string' ? value : new Blob([new Uint8Array(value)]))
  const encoded = new Response(form)
  return send(encoded.headers.get('content-type') ?? '', new Uint8Array(await encoded.arrayBuffer()))
}

/** The bytes of a skill's archive. */
async function exported(id: string, headers: Record<string, string> = {}, query = '?format=zip') {
  const reply = await fetch(`${booted.url}/v1/skills/${id}${query}`, {
    headers: { authorization: `Bearer ${await ada.key()}`, ...headers }
  })
  return { headers: reply.headers, bytes: Buffer.from(await reply.arrayBuffer()) }
}

t.test('a skill is imported in whatever way it comes', async (t) => {
  const zip = zipOf(folder)
  const flat = zipOf(
    folder.slice(1).map((entry) => ({ ...entry, name: entry.name.replace('pdf-forms/', '') }))
  )
  const ways = {
    'an archive in a form': sendForm({ file: zip }),
    'an archive as the body': send('application/zip', zip),
    'an archive in base64': sendJson({ archive: zip.toString('base64') }),
    'an archive of what is in the folder': send('application/octet-stream', flat)
  }
  for (const [way, reply] of Object.entries(ways)) {
    const { status, body } = await reply
    t.match({ status, ...body.data }, { status: 201, ...known, origin: 'imported', version: 1 }, way)
    t.match(
      body.data.files,
      [
        { path: 'assets/logo.png', encoding: 'base64', size: 5 },
        { path: 'references/fields.md', encoding: 'utf8', executable: false },
        { path: 'scripts/fill.py', executable: true }
      ],
      way
    )
    t.equal(body.data.files.length, 3, way)
  }
  const single = {
    'a file in a form': sendForm({ file: Buffer.from(skillMd) }),
    'a file as the body': send('text/markdown; charset=utf-8', `\uFEFF${skillMd.replaceAll('\n', '\r\n')}`),
    'a text': sendJson({ content: skillMd }),
    'a definition': sendJson({ definition: known }),
    'a definition alone': sendJson(known)
  }
  for (const [way, reply] of Object.entries(single)) {
    const { status, body } = await reply
    const { instructions, ...fields } = known
    t.match({ status, ...body.data }, { status: 201, ...fields, files: [], origin: 'imported' }, way)
    t.equal(body.data.instructions.replaceAll('\r', ''), instructions, way)
  }
})

t.test('the slug may be given', async (t) => {
  t.match((await sendForm({ file: skillMd, slug: 'by-form' })).body.data, { slug: 'by-form' })
  t.match((await sendJson({ content: skillMd, slug: 'by-json' })).body.data, { slug: 'by-json' })
  t.match((await sendJson({ definition: known, slug: 'by-definition' })).body.data, { slug: 'by-definition' })
  const taken = { status: 409, body: { error: { code: 'slug_taken' } } }
  t.match(await sendJson({ content: skillMd, slug: 'by-form' }), taken)
  const repeated = await ada.post('/v1/skills/import', { content: skillMd }, { 'idempotency-key': 'once' })
  const again = await ada.post('/v1/skills/import', { content: skillMd }, { 'idempotency-key': 'once' })
  t.equal(again.headers.get('idempotency-replayed'), 'true')
  t.equal(again.body.data.id, repeated.body.data.id)
})

t.test('what is exported is the same skill elsewhere, in the same bytes', async (t) => {
  const { id } = (await send('application/zip', zipOf(folder))).body.data
  const { headers, bytes } = await exported(id)
  t.equal(headers.get('content-type'), 'application/zip')
  t.equal(headers.get('content-disposition'), 'attachment; filename="pdf-forms.zip"')
  t.equal(headers.get('etag'), '"1"')
  const elsewhere = booted.as('zoe', { project: 'elsewhere', type: 'service' })
  const options = { body: new Uint8Array(bytes), headers: { 'content-type': 'application/zip' } }
  const { body } = await elsewhere.request('POST', '/v1/skills/import', options)
  const same = (skill: Record<string, unknown>) => {
    const { id, owner, slug, createdAt, updatedAt, ...rest } = skill
    return rest
  }
  t.same(same(body.data), same((await ada.get(`/v1/skills/${id}`)).body.data))

  const other = (await send('application/zip', bytes)).body.data
  for (const way of [exported(other.id), exported(other.id, { accept: 'application/zip' }, '')])
    t.ok((await way).bytes.equals(bytes), 'the same bytes')
  const markdown = await exported(id, { accept: 'text/markdown' }, '')
  t.match(markdown.headers.get('content-type'), /^text\/markdown/)
  t.match((await send('text/markdown', markdown.bytes)).body.data, { ...known, files: [] })
  t.match((await exported(id, { accept: '*/*' }, '')).headers.get('content-type'), /json/)
  t.match(await booted.as('eve').get(`/v1/skills/${id}?format=zip`), { status: 403 })
  t.match(await ada.get(`/v1/skills/${id}?format=tar`), { status: 400, body: { error: { param: 'format' } } })
})

const refusedArchives: Record<string, [Buffer, number, RegExp]> = {
  'no SKILL.md': [zipOf([{ name: 'README.md', content: 'x' }]), 400, /has no SKILL.md/],
  'several skills': [
    zipOf(['a', 'b'].map((name) => ({ name: `${name}/SKILL.md`, content: skillMd }))),
    400,
    /several skills/
  ],
  'files beside the folder': [zipOf([...folder, { name: 'other.md', content: 'x' }]), 400, /outside/],
  traversal: [zipOf([...folder, { name: '../x', content: 'x' }]), 400, /leads out/],
  'a symbolic link': [zipOf([...folder, { name: 'pdf-forms/l', content: '/', mode: 0o120777 }]), 400, /link/],
  'more than it may unpack': [
    zipOf([...folder, { name: 'pdf-forms/b', content: Buffer.alloc(10_485_761) }]),
    413,
    /more than/
  ],
  'more entries': [
    zipOf(Array.from({ length: 501 }, (_, index) => ({ name: `${index}`, stored: true }))),
    413,
    /501 entries/
  ],
  'more files': [
    zipOf([...folder, ...Array.from({ length: 200 }, (_, index) => ({ name: `pdf-forms/${index}` }))]),
    413,
    /at most 200 files/
  ],
  'no archive': [Buffer.from('PK, but no archive'), 400, /no ZIP archive/]
}

t.test('archives that are no skill, or more than one, are refused', async (t) => {
  for (const [what, [zip, status, message]] of Object.entries(refusedArchives)) {
    const error = { param: '/file', message }
    t.match(await sendForm({ file: zip }), { status, body: { error } }, what)
  }
})

const bomb = [
  'a: &a [x, x]',
  ...'bcdefgh'
    .split('')
    .map((name, index) => `${name}: &${name} [*${'abcdefg'[index]}, *${'abcdefg'[index]}]`)
]
const refusedFiles: Record<string, [string, RegExp]> = {
  'no front matter': ['# Steps', /must begin with YAML/],
  'a front matter without an end': ['---\nname: x\n', /must begin with YAML/],
  'no YAML': ['---\nname: [\n---\n', /no YAML/],
  'no names': ['---\n- x\n---\n', /has no names/],
  'no name': ['---\ndescription: x\n---\n', /name/],
  'no description': ['---\nname: x\n---\n', /description/],
  'an empty description': ['---\nname: x\ndescription: ""\n---\n', /description/],
  'another name': ['---\nname: PDF Forms\ndescription: x\n---\n', /name/],
  'a name twice': ['---\nname: x\nname: y\ndescription: x\n---\n', /no YAML/],
  'a licence that is no text': ['---\nname: x\ndescription: x\nlicense: [MIT]\n---\n', /license/],
  'values that are no text': ['---\nname: x\ndescription: x\nmetadata: {a: [1]}\n---\n', /metadata/],
  'aliases of aliases': [`---\nname: x\ndescription: x\n${bomb.join('\n')}\n---\n`, /has aliases/],
  'a deep front matter': [`---\nname: x\ndescription: x\nx: ${'['.repeat(7_000)}\n---\n`, /too deeply/],
  'deep lists': [`---\nname: x\ndescription: x\nx:\n  ${'- '.repeat(3_000)}\n---\n`, /too deeply/],
  'a long front matter': [`---\nname: x\ndescription: x\nx: ${'x'.repeat(70_000)}\n---\n`, /8192/],
  'a bad prototype': ['---\nname: x\ndescription: x\nx: {__proto__: {y: 1}}\n---\n', /__proto__/],
  NUL: ['---\nname: x\ndescription: x\n---\n\0', /no text/],
  'long instructions': [`---\nname: x\ndescription: x\n---\n${'x'.repeat(100_001)}`, /instructions/]
}

t.test('files that are no skill are refused', async (t) => {
  for (const [what, [text, message]] of Object.entries(refusedFiles))
    t.match(await send('text/markdown', text), { status: 400, body: { error: { param: '', message } } }, what)
  const latin = Buffer.from([0x2d, 0xff, 0xfe])
  t.match(await send('text/markdown', latin), { status: 400, body: { error: { message: /Neither a ZIP/ } } })
})

t.test('bodies that say nothing to import are refused', async (t) => {
  const refuses = (status: number, param?: string) => ({
    status,
    body: { error: { ...(param && { param }) } }
  })
  t.match(await sendJson({}), refuses(400, '/name'))
  t.match(await sendJson({ content: 1 }), refuses(400, '/content'))
  t.match(await sendJson({ content: skillMd, unheard: 1 }), refuses(400, '/unheard'))
  t.match(await sendJson({ definition: { ...known, name: 'No' } }), refuses(400, '/definition/name'))
  t.match(await sendJson({ archive: 'no archive' }), refuses(400, '/archive'))
  t.match(await sendForm({ slug: 'x' }), refuses(400, '/file'))
  t.match(await sendForm({ file: skillMd, slug: 'No Slug' }), refuses(400, '/slug'))
  t.match(await sendForm({ file: skillMd, unheard: 'x' }), refuses(400, '/unheard'))
  t.match(await send('multipart/form-data; boundary=x', 'no form'), refuses(400))
  const form = (body: string) => send('multipart/form-data; boundary=x', body)
  const part = '--x\r\nContent-Disposition: form-data; name="slug"\r\n\r\nx\r\n'
  t.match((await form(`${part.repeat(20)}--x--\r\n`)).body.error, { param: '', message: /too many parts/ })
  t.match((await form(`--x\r\n${'A: b\r\n'.repeat(2_000)}\r\nx\r\n--x--\r\n`)).body.error, {
    message: /headers/
  })
  t.match(await send('image/png', image), refuses(415))
  t.match(await send('application/zip', Buffer.alloc(20_000_000)), refuses(413))
  t.match(await booted.anyone.post('/v1/skills/import', {}), refuses(401))
})
