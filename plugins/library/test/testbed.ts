import type { Booted } from '../../../test/boot.ts'
import type { Client } from '../../../test/client.ts'

const BOUNDARY = 'library0123456789'

/** The item that the library has of a file which this client uploads. */
export async function uploaded(
  { settled }: Pick<Booted, 'settled'>,
  client: Client,
  name: string,
  bytes: Uint8Array | string
) {
  const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: application/octet-stream\r\n\r\n`
  const body = Buffer.concat([Buffer.from(head), Buffer.from(bytes), Buffer.from(`\r\n--${BOUNDARY}--\r\n`)])
  const headers = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` }
  const { body: reply } = await client.request('POST', '/v1/files/upload', { body, headers })
  await settled()
  const { body: page } = await client.get('/v1/library')
  return page.data.find(({ origin }: { origin: { id: string } }) => origin.id === reply.data.id)
}
