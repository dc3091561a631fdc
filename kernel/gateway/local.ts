import type { IncomingMessage } from 'node:http'
import { forbidden } from '../errors.ts'
import type { Principal } from '../ownership.ts'
import { isLoopback } from '../settings.ts'
import { ADMIN_SCOPE, SCOPES } from './scopes.ts'

/** Authentication switched off: one local user, and nobody whom a browser sends from elsewhere. */
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
  function checkLocal({ headers: { host, origin } }: Pick<IncomingMessage, 'headers'>): void {
    if (!isLocalUrl(`http://${host}`))
      throw forbidden('Without authentication only loopback hosts are served')
    if (origin !== undefined && !isLocalUrl(origin) && !corsOrigins.includes(origin))
      throw forbidden('Without authentication only local origins are served')
  }
  return { localUser, checkLocal }
}

const isLocalUrl = (text: string): boolean => URL.canParse(text) && isLoopback(new URL(text).hostname)
