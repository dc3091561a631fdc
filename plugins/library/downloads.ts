import type { Asking, Kernel, Principal } from 'agent-platform'
import { notFound } from 'agent-platform'
import { items } from './schemas.ts'
import type { ItemAccess } from './stores/access.ts'

export type Downloads = ReturnType<typeof createDownloads>

interface Deps extends Pick<Kernel, 'knex' | 'vault' | 'platform'> {
  itemAccess: ItemAccess
}
interface Sealed {
  readonly expiresAt: string
  /** Who asked: what it may no longer read it no longer downloads. */
  readonly by: Asking
}

const MINUTES = 15

/** Addresses by which an item is downloaded without a credential for some minutes: what they hold is authenticated. */
export function createDownloads({ knex, vault, platform, itemAccess }: Deps) {
  async function sign(principal: Principal, itemId: string): Promise<{ url: string; expiresAt: string }> {
    await itemAccess.find(principal, itemId, 'read')
    const { id, type, project, owner, initiator } = principal
    const by: Asking = { id, type, project, owner, ...(initiator !== undefined && { initiator }) }
    const expiresAt = new Date(Date.now() + MINUTES * 60_000).toISOString()
    const sealed = await vault.seal(project, placeOf(itemId), JSON.stringify({ expiresAt, by }))
    const token = `${itemId}~${Buffer.from(sealed).toString('base64url')}`
    return { url: new URL(`/v1/shared/artifacts/${token}`, platform.baseUrl).href, expiresAt }
  }

  /** The item that a token was made for; 404 where it is none, has expired, or who asked for it may no longer read it. */
  async function itemOf(token: string) {
    const [itemId = '', sealed = ''] = token.split('~', 2)
    const { expiresAt, by } = await opened(itemId, Buffer.from(sealed, 'base64url').toString())
    if (!by || !expiresAt || Date.parse(expiresAt) <= Date.now()) throw gone()
    return itemAccess.find(by, itemId, 'read').catch((error) => {
      throw error.kind === 'forbidden' ? gone() : error
    })
  }

  async function opened(itemId: string, sealed: string): Promise<Partial<Sealed>> {
    const item = await items.find(knex, itemId)
    if (!item) return {}
    return JSON.parse(await vault.open(item.project, placeOf(itemId), sealed).catch(() => '{}'))
  }

  return { sign, itemOf }
}

const gone = () => notFound('Shared artifact')
const placeOf = (itemId: string) => `library.download/${itemId}`
