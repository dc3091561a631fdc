import { Data, Deleted, OrNull, Page, Paging, Time, table } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'

export const ShareLink = Type.Object(
  {
    id: Type.String({ examples: ['share_01k4qz0000e0080000000000ab'] }),
    owner: Type.String(),
    itemId: Type.String(),
    hasPassword: Type.Boolean(),
    maxDownloads: OrNull(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
    downloads: Type.Integer({ description: 'So far' }),
    expiresAt: Time,
    createdAt: Time
  },
  { title: 'ShareLink' }
)
const NewShareLink = Type.Object(
  {
    expiresAt: Type.Optional({ ...Time, description: 'Within a year; default: in 7 days' }),
    password: Type.Optional(Type.String({ minLength: 8, maxLength: 200 })),
    maxDownloads: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 }))
  },
  { title: 'NewShareLink' }
)
const MadeShareLink = Type.Object(
  {
    ...ShareLink.properties,
    token: Type.String({ description: 'Shown once' }),
    url: Type.String({ description: 'Shown once' })
  },
  { title: 'MadeShareLink' }
)

export type ShareLink = Static<typeof ShareLink>
export type NewShareLink = Static<typeof NewShareLink>

interface Kept {
  readonly secretHash: string
  readonly passwordHash: string | null
}
export const shareLinks = table<typeof ShareLink, Kept>('library.share_link', ShareLink, {
  type: 'share',
  what: 'Share link',
  also: ['secretHash', 'passwordHash']
})

const tags = ['library']
export const createShareLink = {
  tags,
  summary: 'Create a public share link',
  params: Type.Object({ itemId: Type.String() }),
  body: NewShareLink,
  response: { 201: Data(MadeShareLink) }
}
export const listShareLinks = {
  tags,
  summary: 'List the share links of the item',
  description: 'Without their tokens; those that have expired or are used up, too.',
  params: Type.Object({ itemId: Type.String() }),
  querystring: Type.Object({ ...Paging }),
  response: { 200: Page(ShareLink) }
}
export const revokeShareLink = {
  tags,
  summary: 'Revoke a share link',
  params: Type.Object({ itemId: Type.String(), shareId: Type.String() }),
  response: { 200: Deleted }
}
export const signDownload = {
  tags,
  summary: 'Signed download',
  description: 'An address of the bytes, which needs no credential and expires.',
  params: Type.Object({ itemId: Type.String() }),
  response: {
    200: Data(Type.Object({ url: Type.String(), expiresAt: Time }, { title: 'SignedDownload' }))
  }
}
const Bytes = {
  'application/octet-stream': { schema: Type.Unsafe<Buffer>({ type: 'string', format: 'binary' }) }
}
export const readShared = {
  tags,
  summary: 'Resolve a share link',
  description:
    'The bytes of the item, as a download, without a credential; counted before the first of them is sent. `Range` (one range) answers 206 or 416, and counts as a download too. A password goes in `x-share-password`: 403, code `password_required` or `password_wrong`; 429 after ten wrong ones in a quarter of an hour. 404 for what is unknown, revoked, expired or used up.',
  params: Type.Object({ token: Type.String({ maxLength: 1_000 }) }),
  headers: Type.Object({ 'x-share-password': Type.Optional(Type.String({ maxLength: 200 })) }),
  response: {
    200: { content: Bytes },
    206: { content: Bytes, description: 'The range' }
  }
}
