import { cp, symlink, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import type { Booted, BootOptions } from '../../../test/boot.ts'
import { boot } from '../../../test/boot.ts'
import type { Client, Reply } from '../../../test/client.ts'
import { temporaryFolder, writeFiles } from '../../../test/pack-folders.ts'

interface Scope {
  teardown(work: () => unknown): unknown
}

/** Packs beside the console: few, so that they come up soon. */
const BESIDE = ['access', 'agents', 'goals', 'packs']
const plugins = resolve(import.meta.dirname, '../..')
export const script = `console.log(${JSON.stringify('x'.repeat(500))})`
const index = `<!doctype html>
<html><head><base href="/console/" />
<script type="module" nonce="__NONCE__" src="assets/index-abc.js"></script>
<style nonce="__NONCE__">body { margin: 0 }</style></head><body></body></html>`

/** A platform with the console as it lies here, and a build of a few bytes unless that is left out. */
export async function consoleOf(t: Scope, options: BootOptions & { isBuilt?: boolean } = {}) {
  const { isBuilt = true, ...others } = options
  const folder = await temporaryFolder(t)
  const pack = join(folder, 'console')
  const isOurs = (path: string) => !/\/console\/(web|dist)(\/|$)/.test(path)
  await cp(join(plugins, 'console'), pack, { recursive: true, filter: isOurs })
  for (const name of BESIDE) await symlink(join(plugins, name), join(folder, name))
  await symlink(resolve(plugins, '../node_modules'), join(folder, 'node_modules'))
  if (isBuilt) {
    const dist = await writeFiles(join(pack, 'dist'), {
      'index.html': index,
      'secret.txt': 'hush',
      'assets/index-abc.js': script,
      'assets/logo-abc.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>'
    })
    await writeFile(join(dist, 'assets', 'index-abc.js.gz'), gzipSync(script))
    await writeFile(join(dist, 'assets', 'index-abc.js.br'), brotliCompressSync(script))
  }
  return boot(t, { packs: [...BESIDE, 'console'], ...others, deployment: { folders: [folder] } })
}

/** What a browser that was signed in sends by itself with requests of the platform's own pages. */
type Browser = Record<'cookie' | 'sec-fetch-site', string>
export const browserOf = ({ headers }: Reply): Browser => ({
  cookie: (headers.get('set-cookie') ?? '').split(';')[0] as string,
  'sec-fetch-site': 'same-origin'
})
export const signIn = async (client: Client): Promise<Browser> =>
  browserOf(await client.post('/console/session', {}))

/** The code of a link that the client makes. */
export const codeOf = async (client: Client): Promise<string> =>
  (await client.post('/console/links')).body.data.url.split('#code=')[1]

/** Reads the stream of changes as a browser does, event by event. */
export async function changesOf({ url }: Booted, headers: Browser) {
  const reply = await fetch(`${url}/console/changes`, { headers })
  const reader = reply.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  return {
    reply,
    /** Names of the packs of the next event; undefined at the end. */
    async next(): Promise<string[] | undefined> {
      for (;;) {
        const [, data] = /^event: packs\ndata: (.*)\n\n/.exec(text) ?? []
        if (data !== undefined) {
          text = text.slice(text.indexOf('\n\n') + 2)
          return JSON.parse(data).map(({ name }: { name: string }) => name)
        }
        const { value, done } = (await reader?.read()) ?? { done: true }
        if (done) return undefined
        text += value
      }
    },
    close: () => reader?.cancel()
  }
}
