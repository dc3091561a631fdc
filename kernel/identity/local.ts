import type { IncomingMessage } from 'node:http'
import { forbidden } from '../contract/errors.ts'
import type { Principal } from './ownership.ts'
import { ADMIN_SCOPE, SCOPES } from './scopes.ts'

/** Authentication switched off: one local user, and no request that a browser sends from another site. */
export function createLocalAccess(corsOrigins: readonly string[]) {
  const localUser: Principal = {
    id: 'local',
    type: 'user',
    project: 'default',
    owner: 'local',
    scopes: new Set([...SCOPES, ADMIN_SCOPE]),
    narrowed: false,
    credential: 'local'
  }

  /** A page of another site could name this machine as its own (DNS rebinding), or post to it. */
  function checkLocal({ headers: { host = '', origin } }: Pick<IncomingMessage, 'headers'>): void {
    if (!LOCAL_HOST.test(host)) throw forbidden('Without authentication only loopback hosts are served')
    if (origin !== undefined && origin !== originOf(host) && !corsOrigins.includes(origin))
      throw forbidden('Without authentication only own pages and CORS_ORIGINS are served')
  }
  return { localUser, checkLocal }
}

const LOCAL_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i
const originOf = (host: string): string | undefined =>
  URL.canParse(`http://${host}`) ? new URL(`http://${host}`).origin : undefined
