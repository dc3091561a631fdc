import type { AgentCard } from '@a2a-js/sdk'
import type { Client } from '@a2a-js/sdk/client'
import { ClientFactory, JsonRpcTransportFactory } from '@a2a-js/sdk/client'
import { forbidden } from 'agent-platform'
import type { RequestInit as OutgoingInit } from 'undici'
import type { Outgoing } from '../../outgoing/contract.ts'
import type { Call, InjectedKey } from '../../tools/contract.ts'
import type { RemoteAgent } from '../schemas/remotes.ts'

export type RemoteClients = ReturnType<typeof createRemoteClients>

const MOST_BYTES = 10_485_760
/** They say where a message goes or ends, or are set by the call itself. */
const TAKEN =
  /^(?:a2a-version|accept|connection|content-(?:encoding|length|type)|host|transfer-encoding|upgrade)$/i

/** Clients for agents elsewhere, which reach public addresses alone and show each key to its own hosts. */
export function createRemoteClients({ outgoing }: { outgoing: Outgoing }) {
  function fetchFor(keys: readonly InjectedKey[], secret: Call['secret']): typeof fetch {
    // What was renewed stays so for the rest of the call.
    let shown = keys
    async function guarded(input: unknown, init: RequestInit = {}) {
      const url = new URL(String(input))
      const headers = new Headers(init.headers)
      for (const key of shown) inject(url, headers, key)
      const reply = await outgoing.fetch(url, {
        ...(init as OutgoingInit),
        headers: [...headers],
        redirect: 'error',
        maxBytes: MOST_BYTES,
        timeoutMs: null
      })
      if (reply.status !== 401 || !(await renew())) return reply
      // Nothing was done: once more with what has been renewed.
      await reply.body?.cancel()
      return guarded(input, init)
    }

    /** Whether there is anything new to show. */
    async function renew(): Promise<boolean> {
      let isNew = false
      const renewed = async ({ renew: again, ...key }: InjectedKey): Promise<InjectedKey> => {
        const value = await again?.()
        if (value === undefined) return key
        secret(value)
        isNew = true
        return { ...key, value }
      }
      shown = await Promise.all(shown.map(renewed))
      return isNew
    }
    return guarded as unknown as typeof fetch
  }

  function inject(
    url: URL,
    headers: Headers,
    { keyId, in: part, name, allowedHosts, value }: InjectedKey
  ): void {
    const host = hostOf(url)
    const isAllowed = (it: string) => (it.startsWith('*.') ? host.endsWith(it.slice(1)) : it === host)
    if (!allowedHosts.some(isAllowed))
      throw forbidden(`The key ${keyId} may not be sent to ${url.host}`, { code: 'host_not_allowed' })
    if (part === 'query') {
      url.searchParams.set(name, value)
      return
    }
    if (part === 'body' || TAKEN.test(name))
      throw forbidden(`The key ${keyId} has to be mapped to a header or the query`, { code: 'key_misplaced' })
    const isBare = name.toLowerCase() === 'authorization' && !value.includes(' ')
    headers.set(name, isBare ? `Bearer ${value}` : value)
  }

  function open(
    { name, url, protocolVersion, streaming }: RemoteAgent,
    keys: readonly InjectedKey[],
    secret: Call['secret']
  ): Promise<Client> {
    const transport = new JsonRpcTransportFactory({
      fetchImpl: fetchFor(keys, secret),
      legacyCompat: { enabled: true }
    })
    const card = {
      name,
      description: '',
      version: '',
      supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion, tenant: '' }],
      capabilities: { streaming, pushNotifications: false, extensions: [] },
      securitySchemes: {},
      securityRequirements: [],
      defaultInputModes: [],
      defaultOutputModes: [],
      skills: [],
      signatures: []
    }
    return new ClientFactory({ transports: [transport] }).createFromAgentCard(card as unknown as AgentCard)
  }

  return { open }
}

/** A name, or `name:port` where that is not https at its usual port: as keys say where they may go. */
const hostOf = ({ protocol, hostname, port }: URL): string => {
  const number = port || (protocol === 'http:' ? '80' : '443')
  return number === '443' && protocol === 'https:' ? hostname : `${hostname}:${number}`
}
