import { once } from 'node:events'
import { createServer } from 'node:net'
import { hostname } from 'node:os'
import type { Settings } from '../../kernel/settings.ts'
import type { Check, Finding } from './finding.ts'
import { ok, problem } from './finding.ts'
import type { Target } from './target.ts'

/** A program that answers at all answers this fast. */
const ANSWER_MS = 2_000

/** Listens there for a moment, as the platform will: nothing else tells for sure. */
export const portCheck = ({ settings, living }: Target): Check => ({
  name: 'port',
  async look(): Promise<Finding> {
    const { HOST, PORT } = settings
    const at = `${HOST}:${PORT}`
    const own = living.find((it) => it.host === hostname() && portOf(it.url) === PORT)
    if (own) return ok(`this platform listens on ${at}, as process ${own.pid}`)
    if (PORT === 0) return ok('any that is free')
    const code = await listen(settings)
    switch (code) {
      case undefined:
        return ok(`${at} is free`)
      case 'EADDRINUSE':
        return problem(await holder(settings), 'end it, or set PORT')
      case 'EACCES':
        return problem(`${PORT} may not be used by the user of this process`, 'set PORT to one from 1024 on')
      default:
        return problem(`${at} cannot be listened on (${code})`, 'set HOST to an address of this machine')
    }
  }
})

async function listen({ HOST: host, PORT: port }: Settings): Promise<string | undefined> {
  const server = createServer().listen({ host, port })
  try {
    await once(server, 'listening')
  } catch (error) {
    return String((error as NodeJS.ErrnoException).code)
  }
  server.close()
  await once(server, 'close')
  return undefined
}

async function holder({ HOST, PORT }: Settings): Promise<string> {
  const host = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }[HOST] ?? (HOST.includes(':') ? `[${HOST}]` : HOST)
  const at = `${HOST}:${PORT}`
  try {
    const reply = await fetch(`http://${host}:${PORT}/health`, { signal: AbortSignal.timeout(ANSWER_MS) })
    const { data } = (await reply.json()) as { data?: { packs?: unknown } }
    if (data?.packs) return `another platform listens on ${at}, with other data than these`
  } catch {
    // Whatever answers there does not answer as a platform does.
  }
  return `another program listens on ${at}`
}

const portOf = (url: string | null): number | undefined =>
  url === null ? undefined : Number(new URL(url).port || 80)
