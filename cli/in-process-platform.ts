import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Agent } from 'undici'
import { readConfiguration, startPlatform } from '../process/start.ts'
import { silent } from './database.ts'
import { unlessInterrupted } from './interruption.ts'
import { during } from './output.ts'

/** Where the in-process platform is reached: by this process alone. */
export interface Base {
  readonly baseUrl: string
  readonly fetch: typeof fetch
}

/** A socket's path may have about a hundred bytes. */
const LONGEST_FOLDER = 60

/**
 * Gives `work` a platform in this process, which no other process can reach: it listens on a socket in a folder of its own,
 * goes on with nothing that others left, and is gone afterwards.
 */
export async function withInProcessPlatform<T>(work: (base: Base) => Promise<T>): Promise<T> {
  const configuration = readConfiguration(process.env)
  // There is no address that others could reach, and the operator is told apart by a token all the same.
  const settings = { ...configuration.settings, API_AUTH_REQUIRED: true }
  const { path, remove } = await placeOfSocket()
  try {
    const start = () => startPlatform({ ...configuration, settings }, silent, { inProcess: true })
    const { platform, close } = await during('Starting the platform', start)
    const agent = new Agent({ connect: { socketPath: path }, headersTimeout: 0, bodyTimeout: 0 })
    const throughSocket: typeof fetch = (input, init) =>
      fetch(input, { ...init, dispatcher: agent as unknown as NonNullable<RequestInit['dispatcher']> })
    try {
      const { ready } = await platform.listen(path)
      await during('Starting the platform', () => unlessInterrupted(ready))
      return await work({ baseUrl: 'http://localhost', fetch: throughSocket })
    } finally {
      await during('Stopping the platform', close)
      await agent.destroy()
    }
  } finally {
    await remove()
  }
}

/** In a folder that only this user may enter; on Windows a pipe. */
async function placeOfSocket() {
  if (process.platform === 'win32')
    return { path: `\\\\.\\pipe\\agent-platform-${randomUUID()}`, remove: async () => undefined }
  const base = Buffer.byteLength(tmpdir()) > LONGEST_FOLDER ? '/tmp' : tmpdir()
  const folder = await mkdtemp(join(base, 'agent-platform-'))
  return { path: join(folder, 'http'), remove: () => rm(folder, { recursive: true, force: true }) }
}
