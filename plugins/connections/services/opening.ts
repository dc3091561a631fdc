import type { Kernel, Owned } from 'agent-platform'
import { conflict, forbidden, notFound } from 'agent-platform'
import type { ConnectionRow } from '../schemas/connections.ts'
import { connections } from '../schemas/connections.ts'
import type { ProviderService } from './providers.ts'
import type { Refreshing } from './refreshing.ts'
import type { Held, Key, Material, TokenService } from './tokens.ts'

export type Opening = ReturnType<typeof createOpening>

/** A token that can be used now. */
export interface Opened {
  readonly row: ConnectionRow
  readonly material: Material
}
export interface Wanted {
  readonly id: string
  /** Where it is to be sent, as far as that is known. */
  readonly host?: string | undefined
  readonly scopes: readonly string[]
  /** Where only one to that provider will do. */
  readonly provider?: string | undefined
  /** Where in a body the id stood. */
  readonly param?: string | undefined
}

interface Deps extends Pick<Kernel, 'knex' | 'log'> {
  providerService: ProviderService
  tokenService: TokenService
  refreshing: Refreshing
}

/** Before a token is over it is renewed beside its use, … */
const EARLY_MS = 300_000
/** … and, when it could end on its way, waited for. */
const LATE_MS = 10_000
/** Services that refuse every token are no reason to renew it at every call. */
const REFUSED_AGAIN_MS = 30_000

/** Tokens for calls: to hosts of their provider, for what was granted, renewed when it is time. */
export function createOpening({ knex, log, providerService, tokenService, refreshing }: Deps) {
  /** 404, 403 (`not_owner`, `other_provider`, `host_not_allowed`, `scope_missing`) or 409 unless it may be used so. */
  function admit(by: Owned, row: ConnectionRow | undefined, wanted: Wanted): ConnectionRow {
    const { host, scopes, param } = wanted
    if (!row) throw notFound('Connection', { param })
    if (row.project !== by.project || row.owner !== by.owner)
      throw forbidden('You do not have access to this connection', { param, code: 'not_owner' })
    const provider = providerService.known(row.providerKey)
    if (!provider) throw conflict(`The provider ${row.providerKey} is gone`, { code: 'provider_gone' })
    if (wanted.provider !== undefined && wanted.provider !== provider.key)
      throw forbidden(`${row.name} is a connection to ${provider.name}, and not to ${wanted.provider}`, {
        code: 'other_provider',
        param
      })
    if (host !== undefined && !provider.hosts.some((it) => isWithin(host, it)))
      throw forbidden(`A connection to ${provider.name} may not be sent to ${host}`, {
        code: 'host_not_allowed',
        param
      })
    if (row.status !== 'active') throw unusable(row)
    const missing = scopes.filter((it) => !row.scopes.includes(it))
    if (missing.length > 0)
      throw forbidden(`${row.name} was not allowed ${missing.join(', ')}: connect it again for that`, {
        code: 'scope_missing',
        param
      })
    return row
  }

  const check = async (by: Owned, wanted: Wanted): Promise<ConnectionRow> =>
    admit(by, await connections.find(knex, wanted.id), wanted)

  async function open(by: Owned, wanted: Wanted): Promise<Opened> {
    const key = { project: by.project, id: wanted.id }
    // One who is disabled acts nowhere any more.
    const [held] = await Promise.all([tokenService.of(key), tokenService.ownerOf(by)])
    if (!held) await check(by, wanted)
    admit(by, held?.row, wanted)
    const current = await inTime(key, held as Held)
    return { row: admit(by, current.row, wanted), material: current.material as Material }
  }

  async function inTime(key: Key, held: Held): Promise<Held> {
    const { row, material } = held
    if (row.expiresAt === null || material === undefined) return held
    const left = Date.parse(row.expiresAt) - Date.now()
    const life = (material.life ?? 3_600) * 1_000
    if (left > Math.min(EARLY_MS, life / 5)) return held
    if (left > Math.min(LATE_MS, life / 10)) {
      if (material.refreshToken !== undefined)
        refreshing
          .refresh(row)
          .catch((error) => log.info({ connection: row.id, error: { code: error?.code } }, 'not renewed yet'))
      return held
    }
    const renewed = await refreshing.refresh(row)
    return renewed?.material ? renewed : currentOf(key)
  }

  async function currentOf(key: Key): Promise<Held> {
    const held = await tokenService.of(key)
    if (!held) throw notFound('Connection')
    if (held.row.status !== 'active' || !held.material) throw unusable(held.row)
    return held
  }

  /** The service did not take that token: another one, if there is one. */
  async function refused(by: Owned, wanted: Wanted, used: string): Promise<Opened | undefined> {
    const key = { project: by.project, id: wanted.id }
    const held = await tokenService.of(key)
    if (held?.material && held.material.accessToken === used) {
      const { refusedAt = 0 } = held.material
      if (Date.now() - refusedAt < REFUSED_AGAIN_MS) return undefined
      await refreshing.refresh(held.row, Date.now())
    }
    return open(by, wanted)
  }

  return { check, open, refused }
}

const unusable = ({ name, status, statusReason }: ConnectionRow): Error =>
  conflict(`${name} cannot be used: ${statusReason ?? status}`, { code: `connection_${status}` })

/** Where a request goes: a name, or `name:port` where that is not https at its usual port. */
export const hostOf = ({ protocol, hostname, port }: URL): string => {
  const number = port || (protocol === 'http:' ? '80' : '443')
  return hostname.replace(/\.$/, '') + (number === '443' && protocol === 'https:' ? '' : `:${number}`)
}

/** Whether a host is that one, or below it where `*.` says so. */
export const isWithin = (host: string, permitted: string): boolean =>
  permitted.startsWith('*.') ? host.endsWith(permitted.slice(1)) : host === permitted
