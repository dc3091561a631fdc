import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

interface Scope {
  teardown(work: () => unknown): unknown
}

/** The reference tool server, by HTTP. */
export async function startEverything(t: Scope): Promise<string> {
  const port = await freePort()
  const main = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/dist/index.js')
  const child = spawn(process.execPath, [main, 'streamableHttp'], {
    env: { PATH: process.env.PATH, PORT: String(port) },
    stdio: 'ignore'
  })
  const gone = once(child, 'exit')
  t.teardown(async () => {
    child.kill('SIGKILL')
    await gone
  })
  const url = `http://127.0.0.1:${port}/mcp`
  for (;;) {
    if (child.exitCode !== null) throw new Error('The tool server has ended')
    if (
      await fetch(url).then(
        () => true,
        () => false
      )
    )
      return url
    await delay(50)
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
