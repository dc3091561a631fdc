import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import { deserializeMessage, serializeMessage } from '@modelcontextprotocol/client'
import { upstreamFailed } from 'agent-platform'
import type { Allowance } from './allowance.ts'
import type { Descendants } from './descendants.ts'
import { createDescendants } from './descendants.ts'
import { createFrames } from './frames.ts'
import type { StdioTarget } from './target.ts'

const GRACE_MS = 1_000
/** Written by us and not yet read by it; a server that does not read is not waited for. */
const MOST_UNREAD = 16 * 1024 * 1024

/** What sets the limits, and joins the control group, before the command takes the shell's place. */
const LIMITED =
  'ulimit -c 0; ulimit -d "$1" 2>/dev/null; { [ -z "$2" ] || echo $$ > "$2"; } 2>/dev/null; shift 2; exec "$@"'

/**
 * A server as a child process: in a process group of its own, which goes as a whole, in an empty folder, which goes
 * with it, and with an environment of `PATH`, `HOME`, `TMPDIR` and what the deployment names.
 */
export function createStdioTransport(
  { words, command, name }: StdioTarget,
  allowance: Allowance,
  failed: (error: unknown) => void
): Transport {
  let child: ChildProcessWithoutNullStreams | undefined
  let folder: string | undefined
  let descendants: Descendants | undefined
  let closing: Promise<void> | undefined
  let gone: Promise<unknown> = Promise.resolve()
  let lines: Buffer[] = []
  let isReceiving = false
  const frames = createFrames(allowance.messageBytes, 'line')

  const transport: Transport & { readonly stderr: null; readonly pid: number | null } = {
    // By these two the SDK knows what a silent server means on such a transport.
    stderr: null,
    get pid() {
      return child?.pid ?? null
    },

    async start() {
      folder = await mkdtemp(join(tmpdir(), 'agent-platform-mcp-'))
      descendants = await createDescendants(basename(folder), `TMPDIR=${folder}`)
      const limit = String(command.memoryMb * 1_024)
      child = spawn('/bin/sh', ['-c', LIMITED, 'sh', limit, descendants.procs, ...words], {
        cwd: folder,
        env: environment(command.env, folder),
        stdio: 'pipe',
        detached: true
      })
      gone = new Promise((resolve) => child?.once('exit', resolve).once('error', resolve))
      child.once('close', () => void transport.close())
      child.on('error', () => void transport.close())
      child.stdin.on('error', () => undefined)
      child.stderr.resume()
      child.stdout.on('data', read)
    },

    async send(message) {
      if (!child || closing) throw upstreamFailed(`${name} is not running`)
      if (child.stdin.writableLength > MOST_UNREAD)
        throw upstreamFailed(`${name} does not read what it is sent`)
      child.stdin.write(serializeMessage(message))
    },

    close() {
      closing ??= end()
      return closing
    }
  }

  function read(chunk: Buffer) {
    try {
      allowance.bytes(chunk.byteLength)
      const whole = frames.take(chunk)
      allowance.messages(whole.length)
      lines = lines.concat(whole)
    } catch (error) {
      failed(error)
      void transport.close()
      return
    }
    if (!isReceiving) void receiveAll()
  }

  /** Each in a turn of its own: the SDK hears a notification later than an answer that comes with it. */
  async function receiveAll() {
    isReceiving = true
    for (let next = lines.shift(); next && !closing; next = lines.shift()) {
      receive(next.toString())
      await new Promise(setImmediate)
    }
    isReceiving = false
  }

  function receive(line: string) {
    if (line.trim() === '' || closing) return
    let message: JSONRPCMessage
    try {
      message = deserializeMessage(line)
    } catch {
      // Servers print what they should not; only what they answer counts.
      return transport.onerror?.(new Error('not a message'))
    }
    transport.onmessage?.(message)
  }

  async function end() {
    lines = []
    // As long as it is there they can be found by it.
    if (child?.pid !== undefined) await descendants?.note(child.pid)
    child?.stdin.end()
    child?.stdout.off('data', read).resume()
    signal('SIGTERM')
    let timer: NodeJS.Timeout | undefined
    await Promise.race([gone, new Promise((resolve) => (timer = setTimeout(resolve, GRACE_MS)))])
    clearTimeout(timer)
    // Also when it left by itself: what it started may still be there.
    signal('SIGKILL')
    await descendants?.kill()
    for (const stream of [child?.stdin, child?.stdout, child?.stderr]) stream?.destroy()
    if (folder) await rm(folder, { recursive: true, force: true }).catch(() => undefined)
    transport.onclose?.()
  }

  function signal(kind: NodeJS.Signals) {
    if (child?.pid === undefined) return
    try {
      process.kill(-child.pid, kind)
    } catch {
      // The group is gone.
    }
  }

  return transport
}

function environment(names: readonly string[], folder: string): Record<string, string> {
  const kept = ['PATH', ...names].flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return { HOME: folder, TMPDIR: folder, ...Object.fromEntries(kept) }
}
