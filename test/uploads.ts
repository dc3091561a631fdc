import type { Client, Reply } from './client.ts'

export interface Part {
  readonly name: string
  readonly type?: string
  readonly bytes: Uint8Array | string
  readonly field?: string
}

export const part = (name: string, bytes: Uint8Array | string, type?: string): Part => ({
  name,
  bytes,
  ...(type !== undefined && { type })
})

export const BOUNDARY = 'ab0123456789'

/** A multipart body, as a browser makes it. */
export function bodyOf(parts: readonly Part[]): Buffer {
  const pieces = parts.flatMap(({ name, type, bytes, field = 'file' }) => [
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${field}"; filename="${name}"\r\n`,
    `Content-Type: ${type ?? 'application/octet-stream'}\r\n\r\n`,
    bytes,
    '\r\n'
  ])
  return Buffer.concat([...pieces, `--${BOUNDARY}--\r\n`].map((piece) => Buffer.from(piece as string)))
}
export const FORM = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` }

export const upload = (
  client: Client,
  parts: readonly Part[],
  headers: Record<string, string> = {},
  path = '/v1/files/upload'
): Promise<Reply> => client.request('POST', path, { body: bodyOf(parts), headers: { ...FORM, ...headers } })
