import type { Principal } from 'agent-platform'
import type { Booted, BootOptions } from '../../../test/boot.ts'
import { boot } from '../../../test/boot.ts'
import type { Client } from '../../../test/client.ts'
import { database } from '../../../test/database.ts'
import { until } from '../../../test/packs/stage.ts'
import { proxy } from '../../../test/proxy.ts'
import type { StorageInstallation, StorageMethod } from '../methods/asking.ts'
import type { StorageCalls } from '../services/calls.ts'
import type { Json } from '../stores/data-store.ts'

export interface Scope {
  teardown(work: () => unknown): unknown
}

export const declared = {
  keyValue: 'app',
  collections: [
    { name: 'places', scope: 'app' },
    { name: 'notes', scope: 'user' }
  ]
} as const

/** An app that does nothing but keep data. */
const manifestOf = (id: string, storage: object | undefined) => ({
  manifestVersion: 1,
  id,
  name: 'Keeper',
  version: '1.0.0',
  description: 'Keeps things',
  capabilities: [],
  egress: [],
  connections: [],
  functions: [],
  pages: [{ name: 'main', title: 'Main', entry: 'main.html' }],
  ...(storage && { storage })
})

export const principal = (owner: string, project = 'default'): Principal => {
  return { id: owner, type: 'user', project, owner, scopes: new Set(), narrowed: false, credential: '' }
}

/** What an app asks for as one of its users. */
export type Ask = (method: StorageMethod, params: object) => Promise<Json>

export interface App {
  readonly id: string
  readonly path: string
  as(owner: string): Ask
  /** Resolves when its data does not move any more. */
  settled(): Promise<Json>
}

/** May connect to this machine, and without TLS. */
export const env = {
  OUTGOING_ALLOW: '127.0.0.1',
  APP_STORAGE_REQUIRE_TLS: 'false',
  APP_STORAGE_CONNECT_MS: '1000'
}

let apps = 0

/** A platform with apps that keep data. */
export async function stage(t: Scope, options: BootOptions = {}) {
  const booted = await boot(t, 'app-storage', { ...options, env: { ...env, ...options.env } })
  const app = (owner: Client = booted.as('ada'), storage?: object) => register(booted, owner, storage)
  return { ...booted, app, place: (id: string) => ({ project: 'default', appId: id }) }
}

export const depsOf = (booted: Pick<Booted, 'platform'>) =>
  booted.platform.server.current().packs.get('app-storage')?.deps as Json

export async function register(
  booted: Pick<Booted, 'platform'>,
  owner: Client,
  storage: object | undefined = declared
): Promise<App> {
  const pluginId = `keeper-${++apps}`
  const { status, text, body } = await owner.put('/v1/ui-plugins', {
    manifest: manifestOf(pluginId, storage),
    files: { 'main.html': { text: '<!doctype html><title>Main</title>' } }
  })
  if (status >= 300) throw new Error(text)
  const path = `/v1/ui-plugins/${pluginId}/storage`
  const { id } = body.data
  const installation = { id, project: 'default', owner: owner.id, storage } as StorageInstallation
  return {
    id,
    path,
    as: (name) => (method, params) =>
      (depsOf(booted).storageCalls as StorageCalls).call(
        installation,
        principal(name),
        method,
        params,
        new AbortController().signal
      ),
    settled: () =>
      until(
        async () => (await owner.get(path)).body.data,
        ({ status }) => status !== 'moving'
      )
  }
}

/** A store of its own for each app that is made: chosen by its owner, and there when it resolves. */
export const outside =
  (booted: Awaited<ReturnType<typeof stage>>, provider: string, url: string) =>
  async (storage?: object): Promise<App> => {
    const owner = booted.as('ada')
    const app = await booted.app(owner, storage)
    const { status, text } = await owner.put(app.path, { provider, connection: { url } })
    if (status !== 200) throw new Error(text)
    const state = await app.settled()
    if (state.provider !== provider) throw new Error(JSON.stringify(state))
    return app
  }

/** Another database of the server that tests have, reached as one outside is: by a host, which can be cut off. */
export async function postgresqlServer(t: Scope) {
  const { connection, knex } = await database(t)
  const { host = '127.0.0.1', port = 5432, user = 'postgres', password = 'none' } = connection
  const way = await proxy(t, host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port })
  const url = `postgresql://${user}:${password}@127.0.0.1:${way.port}/${connection.database}?sslmode=disable`
  return { knex, way, url }
}
