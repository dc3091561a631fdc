import type { Paging, Principal } from 'agent-platform'
import { conflict, invalid, notFound, upstreamTimeout } from 'agent-platform'
import type { Connection } from '../connections/connection.ts'
import { faultOf, refusalOf } from '../connections/faults.ts'
import type { Contents, Rendered } from '../schemas/resources-prompts.ts'
import type { McpSettings } from '../settings.ts'
import type { ResourcePromptStore } from '../stores/resources-prompts.ts'
import type { ClientSessions } from './client-session.ts'
import type { ServerService } from './servers.ts'

export type ResourcePromptService = ReturnType<typeof createResourcePromptService>

interface Deps {
  settings: McpSettings
  serverService: ServerService
  clientSessions: ClientSessions
  resourcePromptStore: ResourcePromptStore
}

const INVALID_PARAMS = -32_602
const RESOURCE_NOT_FOUND = -32_002

/** Resources and prompts: what was discovered, and what the server gives for it. */
export function createResourcePromptService({
  settings,
  serverService,
  clientSessions,
  resourcePromptStore
}: Deps) {
  async function list(by: Principal, kind: 'resource' | 'prompt', serverId: string, page: Paging) {
    const { project } = await serverService.read(by, serverId)
    return resourcePromptStore.list(kind, project, serverId, page)
  }

  async function ask<T>(
    by: Principal,
    serverId: string,
    refused: (code: number, message: string) => Error | undefined,
    work: (connection: Connection, options: { signal: AbortSignal; timeout: number }) => Promise<T>
  ): Promise<T> {
    const server = await serverService.find(by, serverId, 'run')
    if (server.status === 'disconnected')
      throw conflict('The server is disconnected', { code: 'server_disconnected' })
    const seconds = settings.mcpCallSeconds
    const late = () => upstreamTimeout(`${server.name} did not answer in time`)
    try {
      return await clientSessions.use(server, (connection) =>
        connection.exchanges.run({ seconds, late }, ({ signal }) =>
          work(connection, { signal, timeout: seconds * 1_000 })
        )
      )
    } catch (error) {
      const refusal = refusalOf(error)
      throw (refusal && refused(refusal.code, refusal.message)) ?? faultOf(error, server.name)
    }
  }

  async function read(by: Principal, serverId: string, uri: string): Promise<Contents> {
    const refused = (code: number) =>
      code === RESOURCE_NOT_FOUND || code === INVALID_PARAMS
        ? notFound('Resource', { param: 'uri' })
        : undefined
    const { contents } = await ask(by, serverId, refused, ({ client }, options) =>
      client.readResource({ uri }, { ...options, cacheMode: 'bypass' })
    )
    return {
      contents: contents.map((it) => ({
        uri: it.uri,
        mimeType: it.mimeType ?? null,
        text: 'text' in it ? it.text : null,
        blob: 'blob' in it ? it.blob : null
      }))
    }
  }

  async function render(
    by: Principal,
    serverId: string,
    name: string,
    given: Readonly<Record<string, string>> = {}
  ): Promise<Rendered> {
    const refused = (code: number, message: string) =>
      code === INVALID_PARAMS ? invalid('/arguments', `The server refuses: ${message}`) : undefined
    const { project } = await serverService.read(by, serverId)
    if (!(await resourcePromptStore.find('prompt', project, serverId, name))) throw notFound('Prompt')
    const { description, messages } = await ask(by, serverId, refused, ({ client }, options) =>
      client.getPrompt({ name, arguments: { ...given } }, options)
    )
    return { description: description ?? null, messages }
  }

  return { list, read, render }
}
