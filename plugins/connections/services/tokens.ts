import type { Kernel, Owned, Principal, Trx } from 'agent-platform'
import { afterCommit, conflict } from 'agent-platform'
import type { Tokens } from '../exchange/exchange.ts'
import type { ConnectionRow } from '../schemas/connections.ts'
import type { ConnectionStore, Noted } from '../stores/connections.ts'
import { shown } from '../summary.ts'

export type TokenService = ReturnType<typeof createTokenService>

/** What is sealed of a connection. */
export interface Material {
  readonly accessToken: string
  readonly refreshToken: string | undefined
  /** Seconds for which the token was given; undefined where it does not end. */
  readonly life: number | undefined
  /** When a service refused the one before, which is why it was renewed. */
  readonly refusedAt?: number
}
export interface Held {
  readonly row: ConnectionRow
  /** Undefined where there is none that could be used. */
  readonly material: Material | undefined
}
export type Key = Pick<ConnectionRow, 'project' | 'id'>

interface Deps extends Pick<Kernel, 'vault' | 'remembered' | 'facts' | 'transaction' | 'principals'> {
  connectionStore: ConnectionStore
}

/** Instances tell each other by it that a connection is not what it was. */
export const CHANGED = 'connections.changed'
/** A signal may be lost. */
const BELIEVE_MS = 3_000

/** Tokens as they lie: sealed in the record, opened in memory for as long as nothing changes. */
export function createTokenService(deps: Deps) {
  const { vault, remembered, facts, transaction, principals, connectionStore } = deps
  const owners = new Map<string, Promise<Principal | undefined>>()
  const sealing = vault.at('connections.connection')
  const placeOf = ({ project, id }: Key) => JSON.stringify([project, id])
  const held = remembered(CHANGED, (place) => load(...(JSON.parse(place) as [string, string])), BELIEVE_MS)

  async function load(project: string, id: string): Promise<Held | undefined> {
    const row = await connectionStore.find({ project, id })
    return row && { row, material: await open(row) }
  }

  async function open({ project, id, sealed }: ConnectionRow): Promise<Material | undefined> {
    return sealed === null ? undefined : JSON.parse(await sealing.open(project, id, sealed))
  }

  async function seal({ project, id }: Key, material: Material): Promise<Noted> {
    const { life } = material
    return {
      sealed: await sealing.seal(project, id, JSON.stringify(material)),
      expiresAt: life === undefined ? null : new Date(Date.now() + life * 1_000).toISOString()
    }
  }

  /** After the commit nobody goes on with what was there before. */
  const changed = (trx: Trx, key: Key) => afterCommit(trx, () => held.changed(placeOf(key)))

  /** Work that nobody asked for just now is done for the owner. Those who ask at the same time share the answer. */
  async function ownerOf({ project, owner }: Owned): Promise<Principal> {
    const place = JSON.stringify([project, owner])
    const asked = owners.get(place) ?? principals.of(project, owner).finally(() => owners.delete(place))
    owners.set(place, asked)
    const principal = await asked
    if (principal) return principal
    throw conflict('The owner of the connection is disabled', { code: 'owner_disabled' })
  }

  /** It cannot be used any more, and its tokens are forgotten: what is left to do is to connect again. */
  async function end(
    by: Principal,
    row: ConnectionRow,
    status: 'expired' | 'revoked',
    statusReason: string
  ): Promise<void> {
    await transaction(async (trx) => {
      const ended = { status, statusReason, sealed: null, expiresAt: null }
      const after = await connectionStore.updateTokens(trx, row, ended)
      if (!after) return
      const fact = { subject: row.id, owner: row.owner, data: shown(after) }
      if (status === 'expired') await facts.record(trx, 'connections.expired', by, fact)
      else await facts.record(trx, 'connections.revoked', by, fact)
      changed(trx, row)
    })
  }

  return {
    /** As it was at most three seconds ago, and as a rule as it is. */
    of: (key: Key) => held.of(placeOf(key)),
    /** What is remembered of it is not so any more. */
    forget: (key: Key) => held.changed(placeOf(key)),
    placeOf,
    open,
    seal,
    changed,
    ownerOf,
    end,
    close: () => held[Symbol.dispose]()
  }
}

/** What a provider gave, with what is kept of what was there before. */
export function materialOf(tokens: Tokens, before: Partial<Material> = {}): Material {
  const { accessToken, refreshToken = before.refreshToken, expiresIn } = tokens
  return {
    accessToken,
    refreshToken,
    // A renewal may leave out how long its token lasts: as long as the one before, then.
    life: expiresIn ?? before.life,
    ...(before.refusedAt !== undefined && { refusedAt: before.refusedAt })
  }
}
