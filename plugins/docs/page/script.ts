import { createHash } from 'node:crypto'
import Fastify from 'fastify'

export interface Script {
  /** Its name, with the digest of its content. */
  readonly file: string
  readonly body: Buffer
}

/** The browser's part of the reference. The package keeps it in a string that only its own plugin serves. */
export async function readScript(): Promise<Script> {
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const app = Fastify()
  app.register(scalar, { routePrefix: '/', configuration: { url: '/' } })
  const { statusCode, rawPayload: body } = await app.inject('/js/scalar.js')
  await app.close()
  if (statusCode !== 200) throw new Error(`The script of the API reference answered ${statusCode}`)
  return { file: `scalar-${createHash('sha256').update(body).digest('hex').slice(0, 16)}.js`, body }
}
