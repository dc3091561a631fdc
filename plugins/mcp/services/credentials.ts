import type { Tools } from '../../tools/contract.ts'
import type { Challenge } from '../connections/target.ts'
import type { ServerRow } from '../stores/servers.ts'
import type { Authorizations } from './authorizations.ts'

export type ServerCredentials = ReturnType<typeof createServerCredentials>

interface Deps {
  tools: Tools
  authorizations: Authorizations
}

type Shown = Readonly<Record<string, string>>

const bearer = (token: string): Shown => ({ authorization: `Bearer ${token}` })

/** What a server is shown: what its owner gave for it, and never what a caller of the platform came with. */
export function createServerCredentials({ tools, authorizations }: Deps) {
  async function headers(server: ServerRow, url: URL): Promise<Shown> {
    const { auth, project, owner } = server
    switch (auth.type) {
      case 'none':
        return {}
      case 'key': {
        const {
          keyId = '',
          name = 'authorization',
          scheme = /^authorization$/i.test(name) ? 'Bearer' : ''
        } = auth
        const value = await tools.openKey({ project, owner }, keyId, url)
        return { [name]: scheme ? `${scheme} ${value}` : value }
      }
      case 'oauth': {
        const token = await authorizations.token(server)
        return token === undefined ? {} : bearer(token)
      }
    }
  }

  async function refused(server: ServerRow, shown: Shown, { status }: Challenge): Promise<boolean> {
    if (server.auth.type !== 'oauth' || status === 403 || shown.authorization === undefined) return false
    return authorizations.refresh(server, shown.authorization.slice('Bearer '.length))
  }

  return { headers, refused }
}
