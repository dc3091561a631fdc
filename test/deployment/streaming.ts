import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { Connection } from '../database.ts'

interface Scope {
  teardown(work: () => unknown): unknown
}

/** Where the newest PostgreSQL of this machine lies that has what makes a replica. */
const programs = globSync('/usr/lib/postgresql/*/bin/pg_basebackup')
  .sort()
  .at(-1)
  ?.replace(/\/[^/]*$/, '')
export const noServer = programs === undefined && 'no PostgreSQL with pg_basebackup is installed'

const NOBODY = 65_534
/** PostgreSQL refuses to run as root. */
const account = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}
const program = (name: string) => join(programs ?? '', name)
const run = (name: string, ...args: string[]) =>
  execFileSync(program(name), args, { ...account, stdio: ['ignore', 'ignore', 'pipe'], cwd: '/' })

const settings = {
  ...{ fsync: 'off', synchronous_commit: 'off', autovacuum: 'off', shared_buffers: '32MB' },
  ...{ unix_socket_directories: '', listen_addresses: '127.0.0.1', max_connections: '60' }
}

/** One server, which may be killed and started again. */
export interface Server {
  readonly connection: Connection
  start(): Promise<void>
  kill(): Promise<void>
  /** On a connection of its own. */
  query(text: string): Promise<readonly Record<string, unknown>[]>
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

function serverIn(t: Scope, folder: string, port: number): Server {
  const connection = { host: '127.0.0.1', port, user: 'postgres', database: 'postgres' }
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  let child: ReturnType<typeof spawn> | undefined
  let exited: Promise<unknown> | undefined
  const query: Server['query'] = async (text) => {
    const client = new pg.Client(connection)
    client.on('error', () => undefined)
    await client.connect()
    return client.query(text).then(
      ({ rows }) => client.end().then(() => rows),
      (error) => client.end().then(() => Promise.reject(error))
    )
  }
  const kill = async () => {
    // At once, and its children with it: they see that it is gone.
    child?.kill('SIGQUIT')
    await exited
    child = undefined
  }
  t.teardown(kill)
  return {
    connection,
    query,
    kill,
    async start() {
      child = spawn(program('postgres'), ['-D', folder, '-p', String(port), ...args], {
        ...account,
        stdio: 'ignore',
        cwd: '/'
      })
      const { exitCode } = child
      exited = once(child, 'exit')
      for (;;)
        try {
          await query('select 1')
          return
        } catch (error) {
          if (child.exitCode !== exitCode) throw error
        }
    }
  }
}

/** A primary and a replica that follows it, both for this test alone. */
export async function streaming(t: Scope): Promise<{ primary: Server; replica: Server }> {
  const folder = mkdtempSync(join(tmpdir(), 'agent-platform-streaming-'))
  if (account.uid !== undefined) chownSync(folder, account.uid, account.uid)
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const [first, second] = [join(folder, 'primary'), join(folder, 'replica')]
  run('initdb', '-D', first, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync')
  const primary = serverIn(t, first, await freePort())
  await primary.start()
  const from = `host=127.0.0.1 port=${primary.connection.port} user=postgres`
  run('pg_basebackup', '-d', from, '-D', second, '-R', '-c', 'fast', '-X', 'stream', '--no-sync')
  const replica = serverIn(t, second, await freePort())
  await replica.start()
  return { primary, replica }
}
