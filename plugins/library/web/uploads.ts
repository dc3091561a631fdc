import { useQueryClient } from '@tanstack/react-query'
import { api, uploadingApi } from 'agent-platform/console'
import { useState } from 'react'

export interface Sending {
  readonly key: string
  readonly file: File
  /** From 0 to 1. */
  readonly sent: number
  readonly state: 'waiting' | 'sending' | 'uploaded' | 'failed'
  readonly error?: unknown
}

let made = 0

/** Uploads files one after another, so that one that is refused keeps no other out. */
export function useUploads() {
  const queries = useQueryClient()
  const [sendings, setSendings] = useState<readonly Sending[]>([])
  const isBusy = sendings.some(({ state }) => state === 'waiting' || state === 'sending')

  const put = (key: string, changes: Partial<Sending>) =>
    setSendings((before) => before.map((it) => (it.key === key ? { ...it, ...changes } : it)))

  async function sendAll(fresh: readonly Sending[]) {
    const fileIds: string[] = []
    for (const { key, file } of fresh) {
      put(key, { state: 'sending', sent: 0, error: undefined })
      try {
        const body = new FormData()
        body.set('file', file, file.name)
        const client = uploadingApi((sent) => put(key, { sent }))
        const { data } = await client.post('/v1/files/upload', { body })
        for (const { id } of [data].flat()) fileIds.push(id)
        put(key, { state: 'uploaded', sent: 1 })
      } catch (error) {
        put(key, { state: 'failed', error })
      }
    }
    await arrived(fileIds)
    await queries.invalidateQueries({ queryKey: ['library'] })
  }

  function add(files: readonly File[]) {
    const fresh = files.map((file): Sending => ({ key: `${made++}`, file, sent: 0, state: 'waiting' }))
    setSendings((before) => [...before, ...fresh])
    sendAll(fresh)
  }

  function retry() {
    const failed = sendings.filter(({ state }) => state === 'failed')
    for (const { key } of failed) put(key, { state: 'waiting', error: undefined })
    sendAll(failed)
  }

  return { sendings, add, retry, clear: () => setSendings([]), isBusy }
}

const LOOKS = 10

/** Items are made a moment after their files. */
async function arrived(fileIds: readonly string[]): Promise<void> {
  const last = fileIds.at(-1)
  for (let look = 0; last && look < LOOKS; look++) {
    const { data } = await api.get('/v1/library', { params: { query: { limit: 20, origin: 'upload' } } })
    if (data.some(({ origin }) => origin.id === last)) return
    await new Promise((resolve) => setTimeout(resolve, 200 * (look + 1)))
  }
}
