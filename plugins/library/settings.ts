import type { Static } from 'typebox'
import { Type } from 'typebox'

export const LibrarySettings = Type.Object({
  ipfsUrl: Type.Optional(
    Type.String({
      env: 'LIBRARY_IPFS_URL',
      pattern: '^https?://[^@?#]+$',
      maxLength: 2_000,
      description:
        'The RPC API of an IPFS node (Kubo) that pins the items of owners who prefer content-addressed storage'
    })
  ),
  ipfsKey: Type.Optional(
    Type.String({
      env: 'LIBRARY_IPFS_KEY',
      pattern: '^[\\x21-\\x7e]{1,1000}$',
      secret: true,
      description: 'Bearer token for that node, if it wants one'
    })
  )
})
export type LibrarySettings = Static<typeof LibrarySettings>
