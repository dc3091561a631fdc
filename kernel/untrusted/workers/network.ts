import { execFile } from 'node:child_process'
import { readlinkSync } from 'node:fs'

/** Root keeps its ids, which it gives up later; others need a user namespace, in which they are who they were, or else its root. */
const WAYS = process.getuid?.() === 0 ? ['-n'] : ['-cn', '-rn']

/**
 * Words of a POSIX shell: what `"$@"` is from then on starts in a namespace without network interfaces, where the system lets this
 * process make one (util-linux, or BusyBox). Elsewhere it stays as it is.
 */
export const OFFLINE = `for way in ${WAYS.join(' ')}; do unshare $way true 2>/dev/null && { set -- unshare $way "$@"; break; }; done`

/** Whether a process has no network, which only Linux tells. */
export function isOffline(pid: number): boolean {
  const [own, its] = [namespaceOf('self'), namespaceOf(pid)]
  return its !== undefined && own !== undefined && its !== own
}

/** Whether processes that this one starts can be kept from every network here. */
export function canBeOffline(): Promise<boolean> {
  const own = namespaceOf('self')
  if (own === undefined) return Promise.resolve(false)
  return new Promise((resolve) => {
    const given = ['-c', `${OFFLINE}; exec "$@"`, 'sh', 'readlink', '/proc/self/ns/net']
    execFile('/bin/sh', given, { env: {}, timeout: 10_000 }, (error, said) =>
      resolve(!error && said.trim() !== own)
    )
  })
}

function namespaceOf(pid: number | 'self'): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/ns/net`)
  } catch {
    return undefined
  }
}
