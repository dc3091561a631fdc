import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { Kernel } from 'agent-platform'
import { pageHeaders, textHeaders } from './page-policy.ts'

export type Application = ReturnType<typeof createApplication>

/** A file of the build, and what it is sent as. */
export interface Asset {
  readonly type: string
  readonly body: Buffer
  /** Compressed by the build, by the coding's name in HTTP. */
  readonly compressed: Readonly<Partial<Record<Coding, Buffer>>>
}
type Coding = keyof typeof SUFFIXES

interface Build {
  /** The page, with places for the base path and the nonce. */
  readonly index: string
  readonly assets: ReadonlyMap<string, Asset>
}

/** The smaller one first. */
const SUFFIXES = { br: '.br', gzip: '.gz' } as const
const CODINGS = Object.keys(SUFFIXES) as Coding[]
const BASE = /<base href="\/console\/" ?\/?>/
const NONCE = '__NONCE__'
const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.ico': 'image/x-icon',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2'
}

const missing = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>Console</title>
  </head>
  <body>
    <h1>The console has not been built</h1>
    <p>Run <code>npm run build:console</code>, then <code>npm run -s platform -- packs reload console</code>.</p>
  </body>
</html>
`

/** The application in the browser, as the build left it in `dist/` of this version of the pack. */
export function createApplication({ shared, platform }: Pick<Kernel, 'shared' | 'platform'>) {
  const base = `${new URL(platform.baseUrl).pathname.replace(/\/$/, '')}/console/`
  const build = () => shared(`build/1/${import.meta.url}`, readBuild, async () => {})

  return {
    /** The page, which may be used once; 503 where there is no build. */
    async page(): Promise<{ status: 200 | 503; html: string; headers: Readonly<Record<string, string>> }> {
      const found = await build()
      if (!found) return { status: 503, html: missing, headers: textHeaders }
      const nonce = randomBytes(16).toString('base64url')
      const html = found.index.replace(BASE, () => `<base href="${base}">`).replaceAll(NONCE, nonce)
      return { status: 200, html, headers: pageHeaders(nonce) }
    },

    /** Undefined for what the build has not made. */
    asset: async (file: string): Promise<Asset | undefined> => (await build())?.assets.get(file)
  }
}

/** Undefined where nothing was built. */
async function readBuild(): Promise<Build | undefined> {
  const folder = join(import.meta.dirname, 'dist')
  const index = await readFile(join(folder, 'index.html'), 'utf8').catch(unlessMissing)
  return index === undefined ? undefined : { index, assets: await readAssets(join(folder, 'assets')) }
}

/** All in memory: what is asked for can be nothing else. */
async function readAssets(folder: string): Promise<ReadonlyMap<string, Asset>> {
  const names = await readdir(folder)
  const bodies = new Map<string, Buffer>()
  for (const name of names) bodies.set(name, await readFile(join(folder, name)))
  const files = names.filter((name) => !CODINGS.some((coding) => name.endsWith(SUFFIXES[coding])))
  return new Map(
    files.map((name) => {
      const compressed = Object.fromEntries(
        CODINGS.map((coding) => [coding, bodies.get(name + SUFFIXES[coding])] as const)
      )
      const type = TYPES[extname(name)] ?? 'application/octet-stream'
      return [name, { type, body: bodies.get(name) as Buffer, compressed }]
    })
  )
}

/** The smallest form that a caller takes, by its `Accept-Encoding`. */
export function encodingOf({ compressed }: Asset, accepted = ''): Coding | undefined {
  const named = new Map(
    accepted.split(',').map((part) => {
      const [name = '', quality = ''] = part.split(';')
      return [name.trim().toLowerCase(), !/^\s*q=0(\.0*)?\s*$/i.test(quality)] as const
    })
  )
  return CODINGS.find((coding) => compressed[coding] && (named.get(coding) ?? named.get('*') ?? false))
}

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
