import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { temporaryFolder } from '../../pack-folders.ts'
import { median } from '../rounds.ts'
import type { Measure, Row } from '../row.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const GIVE_UP_MS = 60_000

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

const isReady = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/health/ready`).then(
    async (reply) => {
      await reply.body?.cancel()
      return reply.status === 200
    },
    () => false
  )

/** Milliseconds from the start of the process to the first 200 of /health/ready; the process is ended then. */
async function startOnce(dataDir: string): Promise<number> {
  const port = await freePort()
  const { DATABASE_URL: _, ...rest } = process.env
  const env = { ...rest, DATA_DIR: dataDir, PORT: String(port), HOST: '127.0.0.1', LOG_LEVEL: 'error' }
  const startedAt = performance.now()
  const imports = ['./process/compile-cache.js', './kernel/packs/loader/modules.ts']
  const args = [...imports.flatMap((file) => ['--import', file]), 'process/main.ts']
  const child = spawn(process.execPath, args, {
    cwd: root,
    env,
    stdio: ['ignore', 'ignore', 'inherit']
  })
  const gone = once(child, 'exit')
  let ms: number | undefined
  while (ms === undefined && child.exitCode === null) {
    if (await isReady(port)) ms = performance.now() - startedAt
    else if (performance.now() - startedAt > GIVE_UP_MS) break
    else await new Promise((resolve) => setTimeout(resolve, 5))
  }
  child.kill('SIGTERM')
  await gone
  if (ms === undefined) throw new Error('The platform did not become ready')
  return ms
}

const row = (what: string, reachMs: number, times: readonly number[]): Row => ({
  what,
  reach: `≤ ${reachMs / 1_000} s`,
  measured: `${(median(times) / 1_000).toFixed(2)} s`,
  met: median(times) <= reachMs
})

/** The whole process with its own database, from nothing and from what the start before left. */
export const measure: Measure = async (scope, quick) => {
  const first: number[] = []
  const again: number[] = []
  for (let round = 0; round < (quick ? 1 : 5); round++) {
    const dataDir = join(await temporaryFolder(scope), 'data')
    first.push(await startOnce(dataDir))
    again.push(await startOnce(dataDir))
  }
  return [row('start to healthy, the first ever', 4_000, first), row('start to healthy, again', 1_500, again)]
}
