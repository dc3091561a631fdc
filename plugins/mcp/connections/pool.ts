import { unavailable } from 'agent-platform'
import type { ServerRow } from '../stores/servers.ts'
import type { Connection } from './connection.ts'

type Server = Pick<ServerRow, 'project' | 'id' | 'generation'>
const keyOf = ({ id, generation }: Pick<Server, 'id' | 'generation'>) => `${id}/${generation}`

/** The connection to one generation of a server on this instance, or what came of trying. */
interface Entry {
  readonly serverId: string
  readonly project: string
  opened: Promise<Connection>
  connection?: Connection
  users: number
  usedAt: number
  idle?: NodeJS.Timeout
  failures: number
  /** Until then the last fault is given again. */
  retryAt: number
}

export type Pool<Host> = ReturnType<typeof createPool<Host>>

/** Of the connections a project uses no more than so many times those that it leaves to others. */
const SHARE = 3
const FIRST_BACKOFF_MS = 500
const LONGEST_BACKOFF_MS = 60_000

/**
 * The connections of this instance: opened when they are needed, closed when they are not needed. They outlive the
 * generation of the platform that opened them; `host` is what they need of the one that is current.
 */
export function createPool<Host>({ most, idleSeconds }: { most: number; idleSeconds: number }, host: Host) {
  const entries = new Map<string, Entry>()
  let current = host

  async function drop(key: string, entry: Entry) {
    if (entries.get(key) === entry) entries.delete(key)
    clearTimeout(entry.idle)
    await entry.opened.then((it) => it.close()).catch(() => undefined)
  }

  /** Calls and the questions they ask may take minutes, so that what is in use is not given back soon. */
  function makeRoom(project: string) {
    const used = entries.values().filter(({ users }) => users > 0)
    const { own, others } = Object.groupBy(used, (it) => (it.project === project ? 'own' : 'others'))
    const [mine = 0, theirs = 0] = [own?.length, others?.length]
    if (mine > 0 && mine >= SHARE * (most - mine - theirs))
      throw unavailable('Too many tool servers of the project are in use', { code: 'too_many_connections' })
    if (entries.size < most) return
    const free = [...entries]
      .filter(([, { users }]) => users === 0)
      .sort(([, a], [, b]) => a.usedAt - b.usedAt)[0]
    if (!free) throw unavailable('Too many tool servers are in use', { code: 'too_many_connections' })
    void drop(...free)
  }

  function start(key: string, { id: serverId, project }: Server, open: () => Promise<Connection>): Entry {
    const before = entries.get(key)
    if (!before) makeRoom(project)
    const opened = open()
    const now = performance.now()
    const entry: Entry = {
      serverId,
      project,
      opened,
      users: 0,
      usedAt: now,
      failures: before?.failures ?? 0,
      retryAt: 0
    }
    entries.set(key, entry)
    opened.then(
      (connection) => {
        entry.connection = connection
        entry.failures = 0
      },
      () => {
        const wait = Math.min(FIRST_BACKOFF_MS * 2 ** entry.failures++, LONGEST_BACKOFF_MS)
        entry.retryAt = performance.now() + wait
        rest(key, entry)
      }
    )
    return entry
  }

  function rest(key: string, entry: Entry) {
    clearTimeout(entry.idle)
    if (entry.users === 0) entry.idle = setTimeout(() => void drop(key, entry), idleSeconds * 1_000).unref()
  }

  async function close(serverId: string, except?: string): Promise<void> {
    const all = [...entries].filter(([key, entry]) => entry.serverId === serverId && key !== except)
    await Promise.all(all.map(([key, entry]) => drop(key, entry)))
  }

  const isOver = ({ connection, retryAt }: Entry) =>
    connection ? connection.isClosed() : retryAt > 0 && performance.now() >= retryAt

  return {
    /**
     * Uses the connection to a server, opened first where there is none. After a failure the same failure is given
     * for a while, longer each time, unless it is to be tried `now`.
     */
    async use<T>(
      server: Server,
      open: () => Promise<Connection>,
      work: (connection: Connection) => Promise<T>,
      now: boolean
    ): Promise<T> {
      const key = keyOf(server)
      let entry = entries.get(key)
      if (entry && (isOver(entry) || (now && entry.retryAt > 0))) {
        clearTimeout(entry.idle)
        entry = undefined
      }
      // What leads to it from before its last edit is not used again.
      if (!entry) void close(server.id, key)
      entry ??= start(key, server, open)
      entry.users++
      entry.usedAt = performance.now()
      clearTimeout(entry.idle)
      try {
        return await work(await entry.opened)
      } finally {
        entry.users--
        rest(key, entry)
      }
    },

    isOpen: (server: Pick<Server, 'id' | 'generation'>): boolean =>
      entries.get(keyOf(server))?.connection?.isClosed() === false,

    /** Closes what leads to a server. */
    close: (serverId: string) => close(serverId),

    closeAll: () => Promise.all([...entries].map(([key, entry]) => drop(key, entry))),

    get host() {
      return current
    },
    set host(host: Host) {
      current = host
    }
  }
}
