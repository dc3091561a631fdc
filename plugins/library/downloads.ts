import type { Kernel, Principal } from 'agent-platform'
import { notFound } from 'agent-platform'
import { items } from './schemas.ts'

export type Downloads = ReturnType<typeof createDownloads>

type Deps = Pick<Kernel, 'knex' | 'vault' | 'platform'>

const MINUTES = 15

/** Addresses by which an item is downloaded without a credential for some minutes: what they hold is authenticated. */
export function createDownloads({ knex, vault, platform }: Deps) {
  async function sign(by: Principal, itemId: string): Promise<{ url: string; expiresAt: string }> {
    const { project, sha256 } = await items.owned(knex, by, itemId, 'read')
    const expiresAt = new Date(Date.now() + MINUTES * 60_000).toISOString()
    const sealed = await vault.seal(project, placeOf(itemId), JSON.stringify({ expiresAt, sha256 }))
    const token = `${itemId}~${Buffer.from(sealed).toString('base64url')}`
    return { url: new URL(`/v1/shared/artifacts/${token}`, platform.baseUrl).href, expiresAt }
  }

  /** The item that a token was made for; 404 where it is none, has expired, or the item is gone. */
  async function itemOf(token: string) {
    const [id = '', sealed = ''] = token.split('~', 2)
    const item = await items.find(knex, id)
    const text =
      item &&
      (await vault
        .open(item.project, placeOf(id), Buffer.from(sealed, 'base64url').toString())
        .catch(() => undefined))
    const { expiresAt, sha256 } = JSON.parse(text ?? '{}') as { expiresAt?: string; sha256?: string }
    if (item && expiresAt && Date.parse(expiresAt) > Date.now() && sha256 === item.sha256) return item
    throw notFound('Shared artifact')
  }

  return { sign, itemOf }
}

const placeOf = (itemId: string) => `library.download/${itemId}`
