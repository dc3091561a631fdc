import { api, newKey } from 'agent-platform/console'
import { useState } from 'react'
import type { Attached } from './conversations.ts'

export interface Attachment {
  readonly key: string
  readonly name: string
  readonly fileId?: string
  readonly error?: unknown
}

export type Attachments = ReturnType<typeof useAttachments>

/** Files that go with the next message: uploaded as they are chosen. */
export function useAttachments() {
  const [attachments, setAttachments] = useState<readonly Attachment[]>([])

  const change = (key: string, changes: Partial<Attachment>) =>
    setAttachments((before) => before.map((it) => (it.key === key ? { ...it, ...changes } : it)))

  async function upload(key: string, file: File) {
    const body = new FormData()
    body.set('file', file, file.name)
    try {
      const { data } = await api.post('/v1/files/upload', { body, idempotencyKey: key })
      change(key, { fileId: [data].flat()[0]?.id })
    } catch (error) {
      change(key, { error })
    }
  }

  return {
    all: attachments,
    ready: attachments.flatMap(({ fileId, name }): Attached[] => (fileId ? [{ fileId, name }] : [])),
    /** Something is still being uploaded, or could not be. */
    isBusy: attachments.some(({ fileId }) => fileId === undefined),
    add(files: readonly File[]) {
      const added = files.map((file) => ({ key: newKey(), name: file.name, file }))
      setAttachments((before) => [...before, ...added.map(({ key, name }) => ({ key, name }))])
      for (const { key, file } of added) void upload(key, file)
    },
    remove: (key: string) => setAttachments((before) => before.filter((it) => it.key !== key)),
    clear: () => setAttachments([])
  }
}
