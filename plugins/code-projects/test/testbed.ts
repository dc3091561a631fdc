import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Client, Reply } from '../../../test/client.ts'
import type { Build } from '../contract.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../..', import.meta.url))
/** An address that programs do not take for this machine itself, and so ask their proxy for. */
const HOST = '127.0.0.2'

interface Scope {
  teardown(work: () => unknown): unknown
}
/** Where each version of each package is installed here. */
function installed(): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const found = new Map<string, Map<string, string>>()
  for (const [path, { version }] of Object.entries(packages as Record<string, { version: string }>)) {
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
    if (!path.includes('node_modules/') || !existsSync(join(root, path, 'package.json'))) continue
    found.set(name, (found.get(name) ?? new Map()).set(version, join(root, path)))
  }
  return found
}

/** A registry of npm on loopback with the packages that this repository has installed, in the version that it has. */
export async function npmRegistry(t: Scope) {
  const asked: string[] = []
  const packages = installed()
  const packed = new Map<string, Promise<Buffer>>()
  const pack = (folder: string): Promise<Buffer> => {
    const known = packed.get(folder)
    if (known) return known
    const args = ['-c', '--exclude=./node_modules', '--transform', 's,^\\.,package,', '-C', folder, '.']
    const tarball = run('tar', [...args, '--use-compress-program', 'gzip -1'], {
      encoding: 'buffer',
      maxBuffer: 2 ** 28
    })
    const bytes = tarball.then(({ stdout }) => stdout)
    packed.set(folder, bytes)
    return bytes
  }
  const server = createServer(async (request, reply) => {
    const path = decodeURIComponent(request.url ?? '').slice(1)
    asked.push(path)
    const [name = '', file] = path.split('/-/')
    const found = packages.get(name)
    if (!found) return void reply.writeHead(404).end('{}')
    if (file) return void reply.end(await pack(found.get(file.replace(/\.tgz$/, '')) ?? ''))
    const versions: Record<string, object> = {}
    for (const [version, folder] of found) {
      const about = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
      const integrity = `sha512-${createHash('sha512')
        .update(await pack(folder))
        .digest('base64')}`
      const tarball = `http://${request.headers.host}/${name}/-/${version}.tgz`
      versions[version] = { ...about, dist: { tarball, integrity } }
    }
    reply.writeHead(200, { 'content-type': 'application/json' })
    reply.end(JSON.stringify({ name, 'dist-tags': { latest: [...found.keys()].at(-1) }, versions }))
  })
  server.listen(0, HOST)
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const host = `${HOST}:${(server.address() as AddressInfo).port}`
  return { host, url: `http://${host}/`, asked }
}

/** Builds of the projects of agents, as a client waits for them. */
export function building(client: Client) {
  const of = (agent: string, rest = '') => `/v1/agents/${agent}/projects${rest}`
  /** When it has ended, however long that takes. */
  async function ended(
    build: Pick<Build, 'id' | 'projectId' | 'agentId' | 'endedAt'>
  ): Promise<Reply['body']> {
    for (let current = build; ; ) {
      if (current.endedAt !== null) return current
      await delay(50)
      current = (await client.get(of(build.agentId, `/${build.projectId}/builds/${build.id}`))).body.data
    }
  }
  return {
    ended,
    make: async (agent: string, fields: object): Promise<Reply['body']> =>
      (await client.post(of(agent), { name: 'Tea', ...fields })).body.data,
    begin: async (path: string) => ended((await client.post(path, { wait: 300 })).body.data),
    enable: (agent: string, more: object = {}) =>
      client.put(`/v1/agents/${agent}/computer/config`, {
        ...{ enabled: true, memoryMb: 1_024, storageMb: 512 },
        ...more
      })
  }
}
