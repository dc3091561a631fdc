import { hash } from 'node:crypto'
import type { Client } from '../../../test/client.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests look into replies of every form
export type Any = any

export const sha256 = (text: string) => hash('sha256', text)

/** What a reply holds, which has to be a good one. */
export async function got(client: Client, path: string): Promise<Any> {
  const { status, body } = await client.get(path)
  if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`)
  return body.data
}

/** The bundle of a run or a session, and the key that it names. */
export async function bundleOf(client: Client, traceId: string, query = '') {
  const data = await got(client, `/v1/provenance/traces/${traceId}/bundle${query}`)
  const { hint } = data.bundle.verificationMaterial.publicKey
  const key = await got(client, `/v1/provenance/keys/${hint}`)
  const statement = JSON.parse(Buffer.from(data.bundle.dsseEnvelope.payload, 'base64').toString())
  return { data, statement, key, pem: key.publicKey as string }
}
