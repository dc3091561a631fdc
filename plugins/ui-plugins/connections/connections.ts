import { isDeepStrictEqual } from 'node:util'
import type { Kernel, Paging, Principal, Trx } from 'agent-platform'
import { afterCommit, conflict, forbidden, invalid, notFound, pageOf, unavailable } from 'agent-platform'
import type { Manifest } from 'agent-platform-app/manifest'
import { isHostWithin } from 'agent-platform-app/manifest'
import type { Tools } from '../../tools/contract.ts'
import type { Installation } from '../contract.ts'
import type { AppConnection, ConnectionEvent, NewConnection } from '../schemas/connections.ts'
import type { AppService } from '../services/apps.ts'
import type { AppRow } from '../stores/apps.ts'
import { apps } from '../stores/apps.ts'
import type { ConnectionRow, ConnectionStore } from '../stores/connections.ts'
import type { ConnectionUses } from './connection-uses.ts'

export type Connections = ReturnType<typeof createConnections>

type Declared = Manifest['connections'][number]
/** A key for one call, and how it is sent. The value is never to be logged, returned or put into an error. */
export interface OpenedConnection {
  readonly auth: Declared['auth']
  readonly value: string
  /** Of an OAuth connection: the service did not take it (401), here is another value to try once, where there is one. */
  renew?(): Promise<string | undefined>
}
/** A key, or what stands for one. */
type Kept = { readonly value: string } | { readonly connectionId: string }

const CHANGED = 'ui-plugins.connections_changed'
/** A signal may be lost. */
const BELIEVE_MS = 10_000

interface Deps extends Pick<Kernel, 'transaction' | 'facts' | 'vault' | 'remembered'> {
  appService: AppService
  connectionStore: ConnectionStore
  connectionUses: ConnectionUses
  tools: Tools | undefined
}

/** Keys of services that apps use and never see: sealed where they lie, opened for a call to a host that is declared for them. */
export function createConnections(deps: Deps) {
  const { transaction, facts, vault, remembered, appService, connectionStore, connectionUses, tools } = deps
  const sealing = vault.at('ui_plugins.connection')
  const sealedAt = (appId: string, key: string) => `${appId}/${key}`
  const known = remembered(CHANGED, (place) => load(...(JSON.parse(place) as [string, string])), BELIEVE_MS)
  const placeOf = ({ project, id }: { project: string; id: string }) => JSON.stringify([project, id])

  /** By key: null where it is off. */
  async function load(project: string, appId: string): Promise<ReadonlyMap<string, Kept | null>> {
    const rows = await connectionStore.list({ project, appId })
    const open = async ({ key, sealed, connectionId, enabled }: ConnectionRow): Promise<Kept | null> => {
      if (!enabled) return null
      if (connectionId !== null) return { connectionId }
      return sealed === null ? null : { value: await sealing.open(project, sealedAt(appId, key), sealed) }
    }
    return new Map(await Promise.all(rows.map(async (row) => [row.key, await open(row)] as const)))
  }

  async function list(by: Principal, pluginId: string, page: Paging) {
    const app = await appService.find(by, pluginId, 'read')
    const { id, project } = app
    const declared = declaredIn(await appService.manifestsOf(app))
    await connectionUses.flush()
    const rows = await connectionStore.list({ project, appId: id })
    const all = declared.map((it) =>
      shown(
        it,
        rows.find(({ key }) => key === it.key)
      )
    )
    return pageOf('connections', all, page)
  }

  async function set(by: Principal, pluginId: string, key: string, input: NewConnection) {
    const { value, connectionId, enabled } = input
    const { id, project } = await appService.find(by, pluginId, 'change')
    if (value !== undefined && connectionId !== undefined)
      throw invalid('/connectionId', 'Either a /value or a /connectionId is given')
    const sealed = value === undefined ? undefined : await sealing.seal(project, sealedAt(id, key), value)
    const place = { project, appId: id }
    const declared = await transaction(async (trx) => {
      // Of these versions still when it is saved: no key stays of which nobody knows.
      const app = await apps.lock(trx, { project, id })
      const declared = declaredIn(await appService.manifestsOf(app, trx)).find((it) => it.key === key)
      if (!declared) throw notFound('Connection')
      const before = await connectionStore.lock(trx, place, key)
      if (connectionId !== undefined) await check(app, connectionId, declared)
      const kept = {
        sealed: connectionId === undefined ? (sealed ?? before?.sealed ?? null) : null,
        connectionId: connectionId ?? (sealed === undefined ? (before?.connectionId ?? null) : null)
      }
      const row = { key, ...kept, enabled: enabled ?? true }
      if (row.enabled && row.sealed === null && row.connectionId === null)
        throw invalid('/value', '/value is required: no key was saved yet', 'value_required')
      await connectionStore.replace(trx, { ...place, owner: app.owner }, row)
      await tell(trx, by, app, { key, status: statusOf(row) })
      return declared
    })
    const rows = await connectionStore.list(place)
    return shown(
      declared,
      rows.find((it) => it.key === key)
    )
  }

  /** It has to be one of the app's owner, of what is declared, and may be sent to all that is. */
  async function check({ project, owner }: AppRow, id: string, declared: Declared): Promise<void> {
    const of = needed()
    for (const host of declared.hosts) {
      const to = host.includes('*') ? undefined : new URL(`https://${host}`)
      await of.checkConnection({ project, owner }, { ...needOf(declared, id), to, param: '/connectionId' })
    }
  }

  function needed(): Tools {
    if (tools) return tools
    throw unavailable('OAuth connections are not used while the pack tools is off', {
      code: 'capability_missing'
    })
  }

  /** Keys of connections that neither the enabled version nor the draft has any more go. */
  async function prune(trx: Trx, by: Principal, app: AppRow): Promise<void> {
    const keep = declaredIn(await appService.manifestsOf(app, trx)).map(({ key }) => key)
    const place = { project: app.project, appId: app.id }
    for (const key of await connectionStore.removeOthers(trx, place, keep))
      await tell(trx, by, app, { key, status: 'missing' })
  }

  async function tell(
    trx: Trx,
    by: Principal,
    { id, project, owner, pluginId }: AppRow,
    changed: Pick<ConnectionEvent, 'key' | 'status'>
  ) {
    const data = { id, pluginId, ...changed }
    await facts.record(trx, 'ui-plugins.connection_changed', by, { subject: id, owner, data })
    afterCommit(trx, () => known.changed(placeOf({ project, id })))
  }

  /** For a call to that host and port; 404, 403 `host_not_allowed`, 409 `connection_missing` or `connection_off`. */
  async function open(app: Installation, key: string, host: string): Promise<OpenedConnection> {
    const declared = app.manifest.connections.find((it) => it.key === key)
    if (!declared) throw notFound('Connection', { param: '/params/connection' })
    if (!declared.hosts.some((it) => isHostWithin(host, it)))
      throw forbidden(`The key of ${key} is not for ${host}`, { code: 'host_not_allowed' })
    const kept = (await known.of(placeOf(app))).get(key)
    if (kept === null) throw conflict(`The connection ${key} is off`, { code: 'connection_off' })
    if (kept === undefined) throw conflict(`No key was saved for ${key} yet`, { code: 'connection_missing' })
    if ('value' in kept) return { auth: declared.auth, value: kept.value }
    const need = { ...needOf(declared, kept.connectionId), to: new URL(`https://${host}`) }
    const { value, renew } = await needed().openConnection(app, need)
    return { auth: declared.auth, value, renew }
  }

  /** What must not stand in anything that the app says or is told. */
  async function listSecrets(app: { project: string; id: string }): Promise<readonly string[]> {
    // An app never gets the token of a connection, nor anything that it stands in.
    return [...(await known.of(placeOf(app))).values()].flatMap((it) => (it && 'value' in it ? it.value : []))
  }

  return { list, set, prune, open, listSecrets, close: () => known[Symbol.dispose]() }
}

const needOf = ({ oauth }: Declared, id: string) => ({
  id,
  scopes: oauth?.scopes ?? [],
  ...(oauth && { provider: oauth.provider })
})

interface Declaration extends Declared {
  readonly declaredBy: AppConnection['declaredBy']
  readonly changed: AppConnection['changed']
}

/** As the enabled version has them, and then those that are only the draft's. */
function declaredIn({ enabled, draft }: { enabled: Manifest | undefined; draft: Manifest }): Declaration[] {
  const known = (enabled?.connections ?? []).map((it): Declaration => {
    const next = draft.connections.find(({ key }) => key === it.key)
    const isSame = !next || isDeepStrictEqual([next.hosts, next.auth], [it.hosts, it.auth])
    const changed = isSame ? null : { hosts: next.hosts, sentAs: next.auth.type }
    return { ...it, declaredBy: next ? ['enabled', 'draft'] : ['enabled'], changed }
  })
  const others = draft.connections.filter(({ key }) => !known.some((it) => it.key === key))
  return [...known, ...others.map((it): Declaration => ({ ...it, declaredBy: ['draft'], changed: null }))]
}

const statusOf = (
  row: Pick<ConnectionRow, 'enabled' | 'sealed' | 'connectionId'> | undefined
): AppConnection['status'] =>
  row && !row.enabled ? 'off' : row?.sealed || row?.connectionId ? 'set' : 'missing'

function shown(declared: Declaration, row?: ConnectionRow) {
  const { key, name, description, hosts, auth, oauth, declaredBy, changed, required = false } = declared
  const connection: AppConnection = {
    key,
    name,
    description: description ?? null,
    hosts,
    sentAs: auth.type,
    oauth: oauth ?? null,
    declaredBy,
    changed,
    required,
    status: statusOf(row),
    connectionId: row?.connectionId ?? null,
    lastUsedAt: row?.lastUsedAt ?? null,
    lastFailedAt: row?.lastFailedAt ?? null,
    lastFailure: row?.lastFailure ?? null,
    updatedAt: row?.updatedAt ?? null
  }
  return connection
}
