import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { root } from '../../kernel/deployment.ts'
import { temporaryFolder } from '../../test/pack-folders.ts'
import type { Manifest } from './src/manifest/manifest.ts'

/** A manifest with one of everything, that nothing is wrong with. */
export const sound: Manifest = {
  manifestVersion: 1,
  id: 'weather-desk',
  name: 'Weather desk',
  version: '1.4.0',
  description: 'Tells agents what the weather will be',
  icon: 'icon.png',
  server: { entry: 'server.js' },
  capabilities: [
    { name: 'agents.read', reason: 'Shows the name of the agent that asked' },
    { name: 'agents.list', reason: 'Offers your agents to choose from' }
  ],
  egress: [
    { host: 'api.weather.example', reason: 'Forecasts' },
    { host: '*.tiles.example', reason: 'Maps' }
  ],
  connections: [
    { key: 'weather-api', name: 'Weather API', hosts: ['api.weather.example'], auth: { type: 'bearer' } }
  ],
  storage: { keyValue: true, collections: [{ name: 'places', scope: 'user', indexes: ['name'] }] },
  functions: [
    {
      name: 'forecast',
      title: 'Forecast',
      description: 'The weather of the coming days',
      input: { type: 'object', properties: { place: { type: 'string' } } },
      tool: true,
      page: 'main'
    }
  ],
  pages: [{ name: 'main', title: 'Weather', entry: 'pages/main.html' }],
  limits: { cpuMs: 200, memoryMb: 32 }
}

interface Scope {
  teardown(work: () => unknown): unknown
}

interface Credential {
  readonly url: string
  readonly key: string
}

const main = join(import.meta.dirname, 'src/command/main.ts')
const environment = ({ url, key }: Partial<Credential>) => ({
  PATH: process.env.PATH,
  ...(url && { PLATFORM_URL: url }),
  ...(key && { PLATFORM_API_KEY: key })
})

/** A folder in which packages are found, and the command in it. */
export async function stage(t: Scope, credential: Partial<Credential> = {}) {
  const folder = await temporaryFolder(t)
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  const run = (...args: string[]) =>
    new Promise<{ code: number; text: string }>((resolve) => {
      const options = { cwd: folder, env: environment(credential) }
      execFile(process.execPath, [main, ...args], options, (error, stdout, stderr) =>
        resolve({ code: Number(error?.code ?? 0), text: stdout + stderr })
      )
    })
  return { folder, run }
}

/** Puts one text in the place of another, which is there once; what it gives puts the file back. */
export const edit = (path: string) => async (from: string, to: string) => {
  const text = await readFile(path, 'utf8')
  if (text.split(from).length !== 2) throw new Error(`${from} is not there once`)
  await writeFile(
    path,
    text.replace(from, () => to)
  )
  return () => writeFile(path, text)
}

/** The command `dev` on that app, until the test ends. */
export async function developing(t: Scope, app: string, credential: Credential) {
  const child = spawn(process.execPath, [main, 'dev', app, '--port', '0'], { env: environment(credential) })
  t.teardown(async () => {
    child.kill()
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  })
  const lines: string[] = []
  let heard = () => undefined as void
  for (const stream of [child.stdout, child.stderr])
    createInterface(stream).on('line', (line) => {
      lines.push(line)
      heard()
    })
  child.on('exit', () => heard())
  return {
    /** Waits for the next line that matches; gives what its group found. */
    async line(pattern: RegExp): Promise<string> {
      for (;;) {
        for (let line = lines.shift(); line !== undefined; line = lines.shift()) {
          const found = pattern.exec(line)
          if (found) return found[1] ?? ''
        }
        if (child.exitCode !== null) throw new Error(`dev has ended, without ${pattern}`)
        await new Promise<void>((resolve) => {
          heard = resolve
        })
      }
    }
  }
}
