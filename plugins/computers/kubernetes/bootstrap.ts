import { deflateRawSync } from 'node:zlib'
import { guestModules } from '../local/guest-program.ts'
import { nodeOptions, PROXY_PORT } from '../local/surroundings.ts'

const MOST_TASKS = 1_024
const MOST_FILES = 8_192
/**
 * Of what a start waits for a network that is not shut yet. It is tried again and again, as nothing tells of it: a NetworkPolicy has no
 * status (KEP-2943 was withdrawn), plugins shut a pod out on its node's side, where it sees nothing of it, and a connection that
 * was let through once says nothing about the next.
 */
const SHUT_MS = 10_000
const TRY_EVERY_MS = 300
/** What no shut network lets through, to be reached. */
const REACH_MS = 1_000
/** In the pod's environment, which programs do not see: the machine that it runs on. */
export const NODE_ADDRESS = 'NODE_ADDRESS'
/** Standard error begins so where the network is open. */
export const OPEN_NETWORK = 'the pod reaches'

/**
 * What a pod runs beside its guest: it takes care of those whose parents ended, and ends when the guest says so. It says nothing,
 * because what it says would be kept in the logs of the node.
 */
export const keeper = ['/bin/sh', '-c', `trap 'exit 0' TERM; while :; do sleep 3600 & wait $!; done`] as const

/** Limits that all below it inherit: the kernel counts processes by user, and no pod can tell how many it may have. */
const LIMIT = `ulimit -c 0; ulimit -n ${MOST_FILES} 2>/dev/null; ulimit -f "$1"; shift
if (ulimit -u ${MOST_TASKS}) 2>/dev/null; then ulimit -u ${MOST_TASKS}; else ulimit -p ${MOST_TASKS}; fi; exec "$@"`

/** Makes sure that the network is shut, takes the guest's program from its standard input, and becomes it. */
const BOOT = `const { readSync } = require('node:fs'), { connect } = require('node:net')
const { env } = process, all = [[env.KUBERNETES_SERVICE_HOST, env.KUBERNETES_SERVICE_PORT], [env.${NODE_ADDRESS}, 10250], ['169.254.169.254', 80]]
const reach = ([host, port]) => new Promise((then) => {
  if (!host) return then()
  const socket = connect({ host, port: Number(port) })
  const timer = setTimeout(() => end(), ${REACH_MS})
  const end = (found) => { clearTimeout(timer); socket.destroy(); then(found) }
  socket.on('connect', () => end(host + ':' + port)).on('error', () => end())
})
const take = (size) => {
  const bytes = Buffer.alloc(size)
  for (let at = 0; at < size; ) try {
    const read = readSync(0, bytes, at, size - at)
    if (!read) process.exit(0)
    at += read
  } catch (error) { if (error.code !== 'EAGAIN') throw error; Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10) }
  return bytes
}
async function begin() {
  if (!env.KUBERNETES_SERVICE_HOST) throw new Error('the pod is not told where the API server is')
  for (const until = Date.now() + ${SHUT_MS}; ; await new Promise((then) => setTimeout(then, ${TRY_EVERY_MS}))) {
    const found = (await Promise.all(all.map(reach))).filter(Boolean)
    if (!found.length) break
    if (Date.now() > until) throw new Error('${OPEN_NETWORK} ' + found.join(', '))
  }
  for (const name in env) if (name.startsWith('KUBERNETES_') || name === '${NODE_ADDRESS}') delete env[name]
  const modules = JSON.parse(require('node:zlib').inflateRawSync(take(take(4).readUInt32BE())).toString()), at = {}
  for (const [name, text] of modules)
    at[name] = 'data:text/javascript;base64,' + Buffer.from(text.replace(/'\\.\\/([a-z-]+)\\.ts'/g, (_, of) => "'" + at[of] + "'")).toString('base64')
  await import(at.main)
}
begin().catch((error) => { process.stderr.write(error.message, () => process.exit(3)) })`

/** The command that begins the guest in a pod, whose largest file has that many bytes. */
export const beginning = (fileBytes: number): string[] => [
  ...['/bin/sh', '-c', LIMIT, 'sh', String(Math.floor(fileBytes / 512))],
  ...['node', ...nodeOptions, '-e', BOOT, 'computer', 'frames', String(PROXY_PORT), 'beside']
]

let known: Promise<Buffer> | undefined
/** What goes to its standard input first: the program, in order of what needs what, with its length before it. */
export function program(): Promise<Buffer> {
  known ??= (async () => {
    const modules = await guestModules()
    const ordered = new Map<string, string>()
    const add = (name: string): void => {
      const text = modules[name]
      if (text === undefined || ordered.has(name)) return
      for (const [, of = ''] of text.matchAll(/ from '\.\/([a-z-]+)\.ts'/g)) add(of)
      ordered.set(name, text)
    }
    add('main')
    const packed = deflateRawSync(JSON.stringify([...ordered]))
    const length = Buffer.alloc(4)
    length.writeUInt32BE(packed.length)
    return Buffer.concat([length, packed])
  })()
  return known
}
