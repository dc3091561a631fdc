import type { Tools } from '../../tools/contract.ts'
import type { Challenge } from '../connections/target.ts'
import type { ServerRow } from '../stores/servers.ts'
import type { OAuthTokens } from './oauth-tokens.ts'

export type ServerCredentials = ReturnType<typeof createServerCredentials>

interface Deps {
  tools: Tools
  oauthTokens: OAuthTokens
}

/** What a server is shown in headers. */
export type Shown = Readonly<Record<string, string>>

/** The headers of one request, and what must not be read anywhere else: more, where the server may know more. */
interface Credentials {
  readonly headers: Shown
  readonly secrets: readonly string[]
}

const connectionNeed = ({ auth: { connectionId: id = '', scopes = [] } }: ServerRow, to: URL) => ({
  id,
  to,
  scopes
})
const bearer = (token: string): Shown => ({ authorization: `Bearer ${token}` })

/** What a server is shown: what its owner gave for it, and never what a caller of the platform came with. */
export function createServerCredentials({ tools, oauthTokens }: Deps) {
  async function open(server: ServerRow, url: URL): Promise<Credentials> {
    const { auth, project, owner } = server
    switch (auth.type) {
      case 'none':
        return { headers: {}, secrets: [] }
      case 'key': {
        const {
          keyId = '',
          name = 'authorization',
          scheme = /^authorization$/i.test(name) ? 'Bearer' : ''
        } = auth
        const value = await tools.openKey({ project, owner }, keyId, url)
        return { headers: { [name]: scheme ? `${scheme} ${value}` : value }, secrets: [value] }
      }
      case 'connection': {
        const { value } = await tools.openConnection(server, connectionNeed(server, url))
        return { headers: bearer(value), secrets: [value] }
      }
      case 'oauth': {
        const token = await oauthTokens.token(server)
        const secrets = await oauthTokens.secrets(server)
        return { headers: token === undefined ? {} : bearer(token), secrets }
      }
    }
  }

  async function refused(server: ServerRow, shown: Shown, { status }: Challenge): Promise<boolean> {
    if (status === 403 || shown.authorization === undefined) return false
    const used = shown.authorization.slice('Bearer '.length)
    if (server.auth.type === 'oauth') return oauthTokens.refresh(server, used)
    if (server.auth.type !== 'connection' || server.url === null) return false
    const opened = await tools.openConnection(server, connectionNeed(server, new URL(server.url)))
    // Another caller may have renewed it meanwhile.
    return opened.value !== used || (await opened.renew()) !== undefined
  }

  return { open, refused }
}
