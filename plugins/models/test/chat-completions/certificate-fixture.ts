import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:tls'
import { selfSigned } from '../../../../test/certificates.ts'

/** The address of a server whose certificate is unknown. */
export async function untrusted(t: { teardown(work: () => unknown): unknown }): Promise<string> {
  const server = createServer(selfSigned(), (socket) => socket.destroy())
  server.on('tlsClientError', () => undefined)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.teardown(() => server.close())
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
}
