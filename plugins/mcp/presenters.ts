import type { ServerSummary } from './contract.ts'
import type { McpPrompt, McpResource } from './schemas/resources-prompts.ts'
import type { McpServer } from './schemas/servers.ts'
import type { McpTool } from './schemas/tools.ts'
import { managedToolOf } from './services/discovered-tools.ts'
import type { Reading } from './stores/resources-prompts.ts'
import type { ServerRow } from './stores/servers.ts'
import type { ToolRow } from './stores/tools.ts'

/** A server as its owner sees it: never a secret. */
export const serverOf = (row: ServerRow): McpServer => ({
  id: row.id,
  owner: row.owner,
  name: row.name,
  transport: row.transport,
  url: row.url,
  command: row.command,
  args: row.args,
  auth:
    row.auth.type === 'oauth' ? { ...row.auth, clientSecret: { set: row.clientSecret !== null } } : row.auth,
  status: row.status,
  statusReason: row.statusReason,
  lastSyncAt: row.lastSyncAt,
  version: row.version,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt
})

/** As facts tell of it: addresses may have secrets in them. */
export const summaryOf = ({ id, name, transport, status, version, url }: ServerRow): ServerSummary => ({
  id,
  name,
  transport,
  status,
  version,
  host: url === null ? null : new URL(url).host
})

/** The tool that agents are assigned, under its own id and name, and what its server says of it besides. */
export function toolOf(row: ToolRow): McpTool {
  const { definition } = row
  const { id, owner, kind, name, description, parameters, idempotent, unavailable } = managedToolOf(row)
  return {
    id,
    owner,
    kind,
    name,
    serverId: row.serverId,
    originalName: row.name,
    title: definition.title ?? null,
    description,
    parameters,
    outputSchema: definition.outputSchema ?? null,
    annotations: definition.annotations ?? {},
    idempotent,
    digest: row.digest,
    approved: row.approvedDigest === row.digest,
    available: unavailable === null,
    unavailable,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt
  }
}

const textOr = (value: unknown): string | null => (typeof value === 'string' ? value : null)

export const resourceOf = ({ id, serverId, definition, uri = '', createdAt }: Reading): McpResource => ({
  id,
  serverId,
  type: definition.type === 'template' ? 'template' : 'resource',
  uri,
  name: textOr(definition.name) ?? '',
  title: textOr(definition.title),
  description: textOr(definition.description),
  mimeType: textOr(definition.mimeType),
  size: typeof definition.size === 'number' ? definition.size : null,
  createdAt
})

export const promptOf = ({ id, serverId, definition, createdAt }: Reading): McpPrompt => ({
  id,
  serverId,
  name: textOr(definition.name) ?? '',
  title: textOr(definition.title),
  description: textOr(definition.description),
  arguments: (
    definition.arguments as readonly { name: string; description?: string; required?: boolean }[]
  ).map(({ name, description, required }) => ({
    name,
    description: description ?? null,
    required: required === true
  })),
  createdAt
})
