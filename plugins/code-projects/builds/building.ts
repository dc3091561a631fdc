import type { Principal } from 'agent-platform'
import { unlessAborted } from 'agent-platform'
import type { Command, Computers } from '../../computers/contract.ts'
import type { CodeProjectRow } from '../projects/schemas.ts'
import type { FileStore } from '../projects/store.ts'
import type { CodeProjectSettings } from '../settings.ts'
import type { Log } from './log.ts'
import { noComputers } from './service.ts'

export type Building = ReturnType<typeof createBuilding>

/** Why a build failed, for its record. */
export class BuildFault extends Error {
  readonly code: string
  readonly exitCode: number | null
  constructor(code: string, message: string, exitCode: number | null = null) {
    super(message)
    this.code = code
    this.exitCode = exitCode
  }
}

/** Of one request, in bytes of content. */
const WRITE_BYTES = 16_777_216
const WRITE_FILES = 500
const LOG_BYTES = 65_536

/** Installs the packages and makes the output; all that it writes goes to a file beside the folder. */
const SCRIPT = `exec > "$BUILD_LOG" 2>&1
if [ -f package.json ]; then
  if ! command -v npm > /dev/null; then echo 'npm is not installed on this machine'; exit 127; fi
  if [ -f package-lock.json ] || [ -f npm-shrinkwrap.json ]; then install=ci; else install=install; fi
  echo "$ npm $install"
  npm $install || exit
fi
echo "$ $BUILD_COMMAND"
exec /bin/sh -c "$BUILD_COMMAND"
`

interface Deps {
  settings: CodeProjectSettings
  computers: Computers | undefined
  fileStore: FileStore
}
/** For whom a project is built, and until when. */
export interface Order {
  readonly by: Principal
  readonly of: CodeProjectRow
  readonly signal: AbortSignal
  readonly log: Log
}

/** Projects on the computers of their agents: nothing of theirs runs elsewhere. */
export function createBuilding({ settings, computers, fileStore }: Deps) {
  function machine(): Computers {
    if (!computers) throw noComputers()
    return computers
  }

  const execute = ({ by, of: { agentId }, signal }: Order, command: Parameters<Computers['exec']>[2]) =>
    unlessAborted(signal, machine().exec(by, agentId, command, signal))

  /** Writes files below a folder of the computer, as many at a time as one request takes. */
  async function write(
    by: Principal,
    agentId: string,
    folder: string,
    files: readonly { readonly path: string; readonly content: Buffer }[],
    signal?: AbortSignal
  ): Promise<void> {
    let batch: { path: string; content: string; encoding: 'base64' }[] = []
    let bytes = 0
    const flush = async () => {
      if (batch.length > 0) {
        const written = machine().write(by, agentId, { files: batch })
        await (signal ? unlessAborted(signal, written) : written)
      }
      batch = []
      bytes = 0
    }
    for (const { path, content } of files) {
      if (bytes + content.length > WRITE_BYTES || batch.length === WRITE_FILES) await flush()
      batch.push({ path: `${folder}/${path}`, content: content.toString('base64'), encoding: 'base64' })
      bytes += content.length
    }
    await flush()
  }

  const clear = (order: Order, isNeeded = false): Promise<Command> => {
    const { id } = order.of
    const script = `rm -rf -- .builds/${id} .builds/${id}.*${isNeeded ? ` && mkdir -p .builds/${id}` : ''}`
    return execute(order, { argv: ['/bin/sh', '-c', script], timeLimit: 60 })
  }

  /** The files of the project in an empty folder of the computer; which version they are of. */
  async function lay(order: Order): Promise<{ folder: string; version: number }> {
    const { by, of, signal } = order
    const folder = `.builds/${of.id}`
    const cleared = await clear(order, true)
    if (cleared.status !== 'completed') throw faultOf(cleared)
    const { version, files } = await fileStore.listWithContent(of)
    await write(by, of.agentId, folder, files, signal)
    return { folder, version }
  }

  /** Runs the build in the folder, and says where the output is. */
  async function build(order: Order, folder: string): Promise<string> {
    const { by, of, signal, log } = order
    const output = of.outputFolder === '.' ? folder : `${folder}/${of.outputFolder}`
    if (of.buildCommand === null) return output
    const written = `${folder}.log`
    const running = execute(order, {
      argv: ['/bin/sh', '-c', SCRIPT],
      cwd: folder,
      timeLimit: settings.buildSeconds,
      env: {
        BUILD_COMMAND: of.buildCommand,
        BUILD_LOG: `../${of.id}.log`,
        CI: 'true',
        npm_config_registry: settings.npmRegistry,
        npm_config_audit: 'false',
        npm_config_fund: 'false',
        npm_config_update_notifier: 'false',
        // The platform's proxy answers at once, or not at all.
        npm_config_fetch_retries: '1',
        npm_config_fetch_retry_mintimeout: '1000'
      }
    })
    const source = {
      async read(offset: number) {
        const asked = { path: written, offset, length: LOG_BYTES, encoding: 'base64' as const }
        const { content, nextOffset } = await unlessAborted(signal, machine().read(by, of.agentId, asked))
        return { bytes: Buffer.from(content ?? '', 'base64').subarray(0, LOG_BYTES), next: nextOffset }
      }
    }
    const ended = await log.follow(source, running)
    if (ended.status !== 'completed') throw faultOf(ended)
    return output
  }

  return { execute, machine, write, clear, lay, build }
}

/** Why a command that did not end well did not. */
export function faultOf({ reason, exitCode, stderr }: Command): BuildFault {
  if (reason !== null) return new BuildFault(reason, stderr || `The build was ended: ${reason}`, exitCode)
  return new BuildFault('build_failed', `The build ended with ${exitCode}`, exitCode)
}
