// tier: whole
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { preparedDataDir } from './data-dir.ts'
import { png } from './file-formats.ts'
import { run, urlOf } from './http/process.ts'

/** What a platform needs for some requests, or in some deployments, and not to serve. */
const heavy = [
  '@ai-sdk/anthropic',
  '@ai-sdk/google',
  '@aws-sdk/',
  '@energetic-ai/',
  '@hyzyla/pdfium',
  '@keyv/redis',
  '@redis/client',
  '@scalar/',
  '@smithy/',
  'blockstore-core',
  'csv-parse',
  'esbuild',
  'file-type',
  'imapflow',
  'ipfs-unixfs-importer',
  'isolated-vm',
  'mammoth',
  'mongodb',
  'multiformats',
  'postal-mime',
  'rehype',
  'remark',
  'sharp',
  'unified',
  'yauzl',
  'yazl'
]

/** Writes down, when the process ends, which files it has loaded. */
const witness = (file: string) =>
  `data:text/javascript,${encodeURIComponent(`
    import { writeFileSync } from 'node:fs'
    import { registerHooks } from 'node:module'
    const loaded = []
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
    process.on('exit', () => writeFileSync(${JSON.stringify(file)}, loaded.join('\\n')))
  `)}`

const DATA_DIR = await preparedDataDir(t, { database: true })
const witnessed = join(DATA_DIR, 'loaded')

/** A platform on the folder of all of these; `stopped` tells what it had loaded by its end. */
async function start() {
  const imports = ['./process/compile-cache.js', witness(witnessed)]
  const options = imports.flatMap((module) => ['--import', module])
  // The folder of the tests' own would be taken instead.
  const process = await run(t, { DATA_DIR, NODE_COMPILE_CACHE: '' }, { options })
  await process.line('ready')
  return {
    url: await urlOf(process),
    async stopped(): Promise<readonly string[]> {
      process.kill('SIGTERM')
      t.equal(await process.exited, 0)
      return readFileSync(witnessed, 'utf8').split('\n')
    }
  }
}
const of = (name: string, loaded: readonly string[]) =>
  loaded.filter((url) => url.includes(`/node_modules/${name}`))

t.test('a start loads what it needs and keeps what it compiled', async (t) => {
  const { stopped } = await start()
  t.notOk(existsSync(witnessed))
  const loaded = await stopped()
  t.not(of('fastify/', loaded).length, 0, 'npm packages are seen')
  for (const name of heavy) t.strictSame(of(name, loaded), [], name)
  const [version = ''] = readdirSync(join(DATA_DIR, 'compiled'))
  const compiled = readdirSync(join(DATA_DIR, 'compiled', version)).length
  t.ok(compiled > loaded.length / 2, `${compiled} of ${loaded.length}`)
})

t.test('the next one checks what it is sent, and decodes no image itself', async (t) => {
  const { url, stopped } = await start()
  const key = readFileSync(join(DATA_DIR, 'development-key'), 'utf8').trim()
  const post = async (path: string, body: string | FormData) => {
    const type = typeof body === 'string' ? { 'content-type': 'application/json' } : {}
    const headers = { authorization: `Bearer ${key}`, ...type }
    const reply = await fetch(`${url}/v1/agents${path}`, { method: 'POST', headers, body })
    return { status: reply.status, body: (await reply.json()) as { data: { id: string } } }
  }
  t.match(await post('', '{"name":1}'), { status: 400, body: { error: { param: '/name' } } })
  const { body } = await post('', '{"name":"Ada"}')
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(png(8, 8, Buffer.alloc(72)))]), 'me.png')
  t.match(await post(`/${body.data.id}/avatar`, form), { status: 201 })
  const loaded = await stopped()
  t.not(of('file-type', loaded).length, 0, 'the upload was looked at here')
  t.strictSame(of('sharp', loaded), [])
})
