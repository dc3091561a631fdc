import type { Booted } from '../../../test/boot.ts'
import type { Client } from '../../../test/client.ts'
import { createClient } from '../../../test/client.ts'

export const KEYS = '/v1/auth/api-keys'
export const ME = '/v1/auth/me'

/** A new key of that principal, and a client that uses it. */
export async function keyOf({ url }: Booted, by: Client, fields: object = {}) {
  const { status, body } = await by.post(KEYS, { name: 'script', ...fields })
  if (status !== 201) throw new Error(`No key: ${status} ${JSON.stringify(body)}`)
  return { ...body.data, client: createClient(url, by.id, body.data.key) }
}
