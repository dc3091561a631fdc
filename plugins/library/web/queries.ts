import { queryOptions } from '@tanstack/react-query'
import { api, baseUrl } from 'agent-platform/console'
import type { Schemas } from 'agent-platform-client'
import { createClient } from 'agent-platform-client'

export type Item = Schemas['LibraryItem']

const path = (itemId: string) => ({ path: { itemId } })

/** Queries of items: by `['library']` all of them are read anew. */
export const itemQuery = (itemId: string) =>
  queryOptions({
    queryKey: ['library', itemId],
    queryFn: async ({ signal }) =>
      (await api.get('/v1/library/{itemId}', { params: path(itemId), signal })).data
  })

export const provenanceQuery = (itemId: string) =>
  queryOptions({
    queryKey: ['library', itemId, 'provenance'],
    queryFn: async ({ signal }) =>
      (await api.get('/v1/library/{itemId}/provenance', { params: path(itemId), signal })).data
  })

export const preferenceQuery = queryOptions({
  queryKey: ['library', 'preference'],
  queryFn: async ({ signal }) => (await api.get('/v1/library/preferences/storage', { signal })).data
})

interface Preview {
  readonly kind: 'html' | 'text' | 'image'
  readonly body: string | Blob
  /** It is only a part. */
  readonly isCut: boolean
}

/** The preview with what its headers say of it, which the client does not hand on. */
export const previewQuery = (itemId: string) =>
  queryOptions({
    queryKey: ['library', itemId, 'preview'],
    async queryFn({ signal }): Promise<Preview> {
      let headers = new Headers()
      const client = createClient({
        baseUrl,
        async fetch(input, init) {
          const reply = await fetch(input, init)
          headers = reply.headers
          return reply
        }
      })
      const body = await client.get('/v1/library/{itemId}/preview', { params: path(itemId), signal })
      const type = headers.get('content-type') ?? ''
      const kind = type.startsWith('image/') ? 'image' : type.startsWith('text/html') ? 'html' : 'text'
      return { kind, body: body as string | Blob, isCut: headers.get('x-preview-truncated') === 'true' }
    },
    staleTime: Number.POSITIVE_INFINITY
  })

/** Begins the download of an item, by an address that is good for some minutes. */
export async function download(itemId: string): Promise<void> {
  const { data } = await api.get('/v1/library/{itemId}/download', { params: path(itemId) })
  location.assign(data.url)
}
