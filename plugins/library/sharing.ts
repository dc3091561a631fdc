import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Kernel, PageOf, Paging, Principal } from 'agent-platform'
import { forbidden, invalid, newId, notFound, rangeOf } from 'agent-platform'
import type { Objects } from '../storage/contract.ts'
import type { Downloads } from './downloads.ts'
import type { Passwords } from './passwords.ts'
import { items } from './schemas.ts'
import type { NewShareLink, ShareLink } from './share-schemas.ts'
import { shareLinks } from './share-schemas.ts'
import type { ItemAccess } from './stores/access.ts'
import type { ItemRow, ItemStore, LinkRow } from './stores/items.ts'

export type Sharing = ReturnType<typeof createSharing>

interface Deps extends Pick<Kernel, 'knex' | 'transaction' | 'facts' | 'platform'> {
  storage: Objects
  itemStore: ItemStore
  downloads: Downloads
  itemAccess: ItemAccess
  passwords: Passwords
}
/** The `Range` header, if there was one; null where nothing but the headers is asked for. */
type Asked = string | undefined | null

const DAY_MS = 86_400_000
const DEFAULT_DAYS = 7
const MOST_DAYS = 366

/** Links by which anyone who has them downloads an item. A token is the link's id and 256 random bits, kept as a hash. */
export function createSharing(deps: Deps) {
  const { knex, transaction, facts, platform, storage, itemStore, itemAccess, downloads, passwords } = deps

  async function create(by: Principal, itemId: string, { password, maxDownloads, ...given }: NewShareLink) {
    const { project, owner } = await itemAccess.toOpen(by, itemId)
    const expiresAt = expiryOf(given.expiresAt)
    const secret = randomBytes(32).toString('base64url')
    const passwordHash = password === undefined ? null : await passwords.hash(password)
    return transaction(async (trx) => {
      // As long as the item is: one that is deleted meanwhile has no links.
      await items.lock(trx, { project, id: itemId })
      const hasPassword = passwordHash !== null
      const limits = {
        maxDownloads: maxDownloads ?? null,
        downloads: 0,
        expiresAt,
        hasPassword,
        passwordHash
      }
      const about = { id: newId('share'), project, owner, itemId, secretHash: digestOf(secret) }
      const link = shown(await shareLinks.insert(trx, { ...about, ...limits }))
      await facts.record(trx, 'library.shared', by, { subject: itemId, owner, data: link })
      const token = `${link.id}.${secret}`
      return { ...link, token, url: new URL(`/v1/shared/artifacts/${token}`, platform.baseUrl).href }
    })
  }

  async function list(by: Principal, itemId: string, page: Paging): Promise<PageOf<ShareLink>> {
    const { data, nextCursor } = await itemStore.listLinks(await itemAccess.toOpen(by, itemId), page)
    return { data: data.map(shown), nextCursor }
  }

  async function revoke(by: Principal, itemId: string, shareId: string) {
    const { project, owner } = await itemAccess.toOpen(by, itemId)
    const found = await shareLinks.find(knex, shareId)
    if (found?.itemId !== itemId || found.project !== project) throw notFound('Share link')
    return transaction(async (trx) => {
      const { id } = await shareLinks.remove(trx, found)
      await facts.record(trx, 'library.unshared', by, { subject: itemId, owner, data: { id, itemId } })
      return { id, deleted: true as const }
    })
  }

  /** The item and a stream of what is asked for, by a token of a link, of which it is one download, or of a signed download. */
  async function resolve(token: string, password: string | undefined, asked: Asked) {
    if (!token.includes('~')) return byLink(token, password, asked)
    return opened(await downloads.itemOf(token), asked)
  }

  /** 416 before anything is counted. */
  async function opened({ name, size, sha256 }: ItemRow, asked: Asked) {
    const about = { name, size: Number(size) }
    if (asked === null) return { ...about, range: undefined, stream: undefined }
    const range = rangeOf(asked, about.size)
    return { ...about, range, stream: await storage.open(sha256, range) }
  }

  async function byLink(token: string, password: string | undefined, asked: Asked) {
    const link = await find(token)
    const item = link && (await items.find(knex, link.itemId))
    if (!link || !item || new Date(link.expiresAt) <= new Date() || isUsedUp(link)) throw gone()
    if (link.passwordHash !== null) await checkPassword(link.id, link.passwordHash, password)
    const download = await opened(item, asked)
    if (!download.stream || (await itemStore.updateDownloads(link))) return download
    download.stream.destroy()
    throw gone()
  }

  async function find(token: string): Promise<LinkRow | undefined> {
    const [id = '', secret = ''] = token.split('.', 2)
    const link = await shareLinks.find(knex, id)
    const digest = Buffer.from(digestOf(secret))
    return link && timingSafeEqual(digest, Buffer.from(link.secretHash)) ? link : undefined
  }

  async function checkPassword(linkId: string, kept: string, password: string | undefined) {
    if (password === undefined)
      throw forbidden('The share link needs a password, in x-share-password', { code: 'password_required' })
    if (!(await passwords.isRight(linkId, kept, password)))
      throw forbidden('The password is wrong', { code: 'password_wrong' })
  }

  return { create, list, revoke, resolve }
}

const gone = () => notFound('Shared artifact')
const isUsedUp = ({ maxDownloads, downloads }: ShareLink) =>
  maxDownloads !== null && downloads >= maxDownloads
const digestOf = (secret: string) => createHash('sha256').update(secret).digest('hex')

function expiryOf(given: string | undefined): string {
  const now = Date.now()
  const expires = given === undefined ? now + DEFAULT_DAYS * DAY_MS : Date.parse(given)
  if (expires > now && expires <= now + MOST_DAYS * DAY_MS) return new Date(expires).toISOString()
  throw invalid('/expiresAt', '/expiresAt must lie in the future, and within a year')
}

const shown = ({ id, owner, itemId, hasPassword, maxDownloads, downloads, ...row }: LinkRow): ShareLink => {
  return {
    id,
    owner,
    itemId,
    hasPassword,
    maxDownloads,
    downloads,
    expiresAt: row.expiresAt,
    createdAt: row.createdAt
  }
}
