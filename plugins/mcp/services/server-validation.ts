import type { Kernel, Principal } from 'agent-platform'
import { invalid } from 'agent-platform'
import type { Outgoing } from '../../outgoing/contract.ts'
import type { Tools } from '../../tools/contract.ts'
import { fill } from '../commands.ts'
import type { McpServerChanges, NewAuth } from '../schemas/servers.ts'
import type { ServerRow, Written } from '../stores/servers.ts'
import type { Connections } from './connections.ts'

export type ServerValidation = ReturnType<typeof createServerValidation>

interface Deps extends Pick<Kernel, 'vault'> {
  outgoing: Outgoing
  tools: Tools
  connections: Connections
}

type Given = McpServerChanges & { readonly id: string; readonly before: ServerRow | undefined }

/** Headers that are the protocol's own, or the connection's. */
const RESERVED =
  /^(host|connection|content-.*|transfer-encoding|te|upgrade|accept.*|origin|cookie|mcp-.*|last-event-id|user-agent|proxy-.*)$/i
const fieldsOf = {
  none: [],
  key: ['keyId', 'name', 'scheme'],
  oauth: ['clientId', 'clientSecret', 'scope'],
  connection: ['connectionId', 'scopes']
} as const

/** Where servers may be, and what they may be shown. */
export function createServerValidation({ vault, outgoing, tools, connections }: Deps) {
  const secrets = vault.at('mcp.server', 'client')

  /** What is kept of what was given; 400 and the like for what cannot be. */
  async function check(by: Principal, given: Given): Promise<Written> {
    const { before } = given
    const transport = given.transport ?? before?.transport ?? 'http'
    const name = given.name ?? (before?.name as string)
    if (transport === 'stdio') {
      if (given.auth && given.auth.type !== 'none')
        throw invalid('/auth/type', 'A server by stdio is shown nothing')
      return { ...stdioOf(given, before), name, transport, auth: { type: 'none' }, clientSecret: null }
    }
    for (const field of ['command', 'args'] as const)
      if (given[field]?.length) throw invalid(`/${field}`, `Only a server by stdio has ${field}`)
    const url = urlOf(given.url === undefined ? before?.url : given.url)
    const auth = await authOf(by, given, url)
    return { name, transport, url: url.href, command: null, args: [], ...auth }
  }

  function urlOf(address: string | null | undefined): URL {
    if (address == null) throw invalid('/url', '/url is required')
    const url = outgoing.check(address, '/url')
    if (url.hash) throw invalid('/url', '/url must have no fragment')
    return url
  }

  function stdioOf({ url, command, args }: Given, before: ServerRow | undefined) {
    if (url != null) throw invalid('/url', 'A server by stdio has no url')
    const name = command ?? before?.command
    if (name == null) throw invalid('/command', '/command is required')
    const words = args ?? (before?.command === name ? before.args : [])
    const allowed = connections.commands.get(name)
    if (!allowed)
      throw invalid('/command', 'The deployment allows no command of that name', 'command_not_allowed')
    const filled = fill(allowed, words)
    if (!Array.isArray(filled))
      throw invalid(
        `/args/${filled.wrong}`,
        'The deployment does not allow that argument',
        'argument_not_allowed'
      )
    return { url: null, command: name, args: words }
  }

  async function authOf(by: Principal, { id, auth, before }: Given, url: URL) {
    if (auth === undefined) {
      const kept = before && before.transport !== 'stdio' ? before : undefined
      const same = kept?.url != null && new URL(kept.url).origin === url.origin
      if (kept?.auth.type === 'key' && !same)
        await tools.openKey(by, kept.auth.keyId ?? '', url, '/auth/keyId')
      if (kept?.auth.type === 'connection' && !same) await checkConnection(by, kept.auth, url)
      if (kept?.clientSecret != null && !same)
        throw invalid(
          '/auth/clientSecret',
          'With another host the secret must be given again',
          'secret_needed'
        )
      return { auth: kept?.auth ?? { type: 'none' as const }, clientSecret: kept?.clientSecret ?? null }
    }
    const { clientSecret, ...rest } = auth
    checkFields(auth)
    if (auth.type === 'key') {
      if (auth.keyId === undefined) throw invalid('/auth/keyId', '/auth/keyId is required')
      if (auth.name !== undefined && RESERVED.test(auth.name))
        throw invalid('/auth/name', 'That header is not for keys')
      await tools.openKey(by, auth.keyId, url, '/auth/keyId')
    }
    if (auth.type === 'connection') await checkConnection(by, auth, url)
    return { auth: rest, clientSecret: await secretOf(by, id, auth, before, url) }
  }

  async function checkConnection(
    by: Principal,
    { connectionId: id, scopes = [] }: Pick<NewAuth, 'connectionId' | 'scopes'>,
    to: URL
  ): Promise<void> {
    const param = '/auth/connectionId'
    if (id === undefined) throw invalid(param, `${param} is required`)
    await tools.checkConnection(by, { id, to, scopes, param })
  }

  /** A secret that is only said to be set stays what it is, at the host that it was given for. */
  async function secretOf(
    { project }: Principal,
    id: string,
    { type, clientId, clientSecret }: NewAuth,
    before: ServerRow | undefined,
    url: URL
  ): Promise<string | null> {
    if (type !== 'oauth') return null
    if (typeof clientSecret === 'string') {
      if (clientId === undefined) throw invalid('/auth/clientId', '/auth/clientId is required')
      return secrets.seal(before?.project ?? project, id, clientSecret)
    }
    if (!clientSecret?.set) return null
    const same =
      before?.url != null && new URL(before.url).origin === url.origin && before.auth.clientId === clientId
    if (same && before.clientSecret !== null) return before.clientSecret
    throw invalid('/auth/clientSecret', 'The secret must be given', 'secret_needed')
  }

  return { check }
}

function checkFields(auth: NewAuth) {
  const known: readonly string[] = fieldsOf[auth.type]
  for (const field of Object.keys(auth))
    if (field !== 'type' && !known.includes(field))
      throw invalid(`/auth/${field}`, `/auth/${field} is nothing for ${auth.type}`)
}
