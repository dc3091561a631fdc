import type { Booted } from '../boot.ts'
import type { Client } from '../client.ts'

/** The session of a client, as the browser keeps it. */
export async function cookieOf({ url }: Pick<Booted, 'url'>, client: Client) {
  const { status, headers, text } = await client.post('/console/session', {})
  if (status !== 201) throw new Error(`${status}: ${text}`)
  const [, name, value] = /^([^=]+)=([^;]+)/.exec(headers.get('set-cookie') ?? '') ?? []
  return { name: name as string, value: value as string, url, httpOnly: true, sameSite: 'Strict' as const }
}
