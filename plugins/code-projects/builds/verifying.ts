import { randomInt } from 'node:crypto'
import type { Principal } from 'agent-platform'
import { unlessAborted } from 'agent-platform'
import type { Files } from '../../files/contract.ts'
import type { Building, Order } from './building.ts'
import { BuildFault } from './building.ts'
import type { BuildRow, Report } from './schemas.ts'
import { serverProgram, waitProgram } from './server.ts'

export type Verifying = ReturnType<typeof createVerifying>

const START_SECONDS = 30
const TEST_SECONDS = 60
const PICTURE_BYTES = 4_194_304

interface Deps {
  files: Files | undefined
  building: Building
}

/** Opens what was built in the browser of the computer. */
export function createVerifying({ files, building }: Deps) {
  async function verify(order: Order, row: BuildRow, folder: string, output: string): Promise<Report> {
    const { by, of, signal } = order
    const { agentId, slug, startCommand } = of
    const port = randomInt(20_000, 60_000)
    const path = startCommand === null ? `/v1/previews/${slug}/` : '/'
    const computers = building.machine()
    const stop = new AbortController()
    const until = AbortSignal.any([signal, stop.signal])
    const program = `.builds/${of.id}.server.cjs`
    if (startCommand === null)
      await building.write(by, agentId, '.', [{ path: program, content: Buffer.from(serverProgram) }], signal)
    const serving = computers.exec(
      by,
      agentId,
      startCommand === null
        ? {
            argv: ['node', program, output, path, String(port), String(of.singlePage)],
            timeLimit: START_SECONDS + TEST_SECONDS + 60
          }
        : {
            command: startCommand,
            cwd: folder,
            env: { PORT: String(port) },
            timeLimit: START_SECONDS + TEST_SECONDS + 60
          },
      until
    )
    try {
      const died = serving.then(({ exitCode, stderr, stdout }) => {
        throw new BuildFault('not_served', `What serves it ended:\n${stderr}${stdout}`, exitCode)
      })
      died.catch(() => undefined)
      const up = building.execute(order, {
        argv: ['node', '-e', waitProgram, String(port)],
        timeLimit: START_SECONDS
      })
      up.catch(() => undefined)
      const { status } = await Promise.race([up, died])
      if (status !== 'completed')
        throw new BuildFault('not_served', `Nothing listened at PORT within ${START_SECONDS} seconds`)
      const url = `http://localhost:${port}${path}`
      const test = computers.test(by, agentId, { url, timeLimit: TEST_SECONDS })
      const seen = await unlessAborted(signal, test)
      const { ok, title, status: answered, error, consoleErrors, failedRequests, timing, screenshot } = seen
      const plain = (text: string) => text.replaceAll(`http://localhost:${port}`, '')
      return {
        ok,
        title,
        status: answered,
        error: error && plain(error),
        consoleErrors: consoleErrors.map(plain),
        failedRequests: failedRequests.map(({ url, reason }) => ({ url: plain(url), reason })),
        loadMilliseconds: timing.loadMilliseconds,
        screenshotFileId: screenshot === null ? null : await keep(by, agentId, row, screenshot, signal)
      }
    } finally {
      stop.abort()
      await serving.catch(() => undefined)
    }
  }

  /** The picture as a file of the platform; none where files are off, or have no room. */
  async function keep(by: Principal, agentId: string, row: BuildRow, path: string, signal: AbortSignal) {
    if (!files) return null
    const asked = { path, encoding: 'base64' as const, length: PICTURE_BYTES }
    const { content } = await unlessAborted(signal, building.machine().read(by, agentId, asked))
    const bytes = Buffer.from(content ?? '', 'base64')
    const origin = { type: 'code', chain: [{ type: 'build', id: row.id }] } as const
    const about = {
      name: `${row.id}.png`,
      mediaType: 'image/png',
      maxBytes: PICTURE_BYTES,
      owner: row.owner,
      origin
    }
    const kept = await files
      .store(
        by,
        (async function* () {
          yield bytes
        })(),
        about
      )
      .catch((error) => {
        if ((error as { kind?: string }).kind) return undefined
        throw error
      })
    return kept?.id ?? null
  }

  return { verify }
}
