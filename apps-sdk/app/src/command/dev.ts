import { createHash } from 'node:crypto'
import { watch } from 'node:fs'
import { resolve } from 'node:path'
import type { Client } from 'agent-platform-client'
import type { LoadedApp } from '../bundle/load-app.ts'
import { loadApp } from '../bundle/load-app.ts'
import { grantsOf } from '../grants/grants.ts'
import { createDevServer } from './dev-server.ts'
import { followLogs } from './logs.ts'
import { registerApp } from './publish.ts'

interface DevOptions {
  readonly platform: Client
  readonly port: number
  /** Ends it; default: never, as the process ends. */
  readonly signal?: AbortSignal
  print(line: string): void
}

/** Several files are saved at once. */
const PAUSE_MS = 100

/**
 * Has the app on a platform for the author alone, granted all that it asks for, shows its pages, and prints what it logs; does so
 * anew after each change. Resolves when it serves; what goes wrong after that is printed.
 */
export async function developApp(
  folder: string,
  { platform, port, signal, print }: DevOptions
): Promise<void> {
  const first = await loadApp(folder)
  let shown = await put(platform, first)
  const { id } = first.manifest
  const server = await createDevServer({ port, platform, app: () => shown })
  const ending = new AbortController()
  await followLogs({ platform, signal: ending.signal, pluginId: () => shown.manifest.id, print })
  print(`${id} is enabled for you, with all that it asks for, as ${shown.version}`)
  for (const { name } of shown.manifest.pages) print(`  page ${name}: ${server.url}#${name}`)

  let timer: NodeJS.Timeout | undefined
  let work = Promise.resolve()
  const renew = async () => {
    try {
      const next = await put(platform, await loadApp(folder))
      if (next.version === shown.version) return
      shown = next
      server.reload()
      print(`reloaded as ${shown.version}`)
    } catch (error) {
      print(`not reloaded: ${(error as Error).message}`)
    }
  }
  const watcher = watch(resolve(folder, 'src'), { recursive: true }, () => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      work = work.then(renew)
    }, PAUSE_MS)
  })
  const end = () => {
    ending.abort()
    clearTimeout(timer)
    watcher.close()
    server.close()
  }
  if (signal?.aborted) end()
  signal?.addEventListener('abort', end)
}

type Shown = Pick<LoadedApp, 'manifest' | 'files'> & { readonly version: string }

/** Versions never change: each content has one of its own, which comes before the one that is written down. */
async function put(platform: Client, { manifest, files }: LoadedApp): Promise<Shown> {
  const digest = createHash('sha256').update(JSON.stringify(manifest))
  for (const [path, bytes] of files) digest.update(path).update(bytes)
  const [released] = manifest.version.split(/[-+]/)
  const version = `${released}-dev.h${digest.digest('hex').slice(0, 12)}`
  const next = { manifest: { ...manifest, version }, files }
  await registerApp(platform, next)
  const body = { status: 'enabled', version, audience: 'owner', grants: grantsOf(manifest) } as const
  const path = { pluginId: manifest.id }
  await platform.put('/v1/ui-plugins/{pluginId}/status', { params: { path }, body })
  return { ...next, version }
}
