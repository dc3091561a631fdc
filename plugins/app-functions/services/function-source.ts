import type { Principal } from 'agent-platform'
import { forbidden, notFound } from 'agent-platform'
import type { ServedTool, ToolSource } from '../../mcp-server/contract.ts'
import type { UiPlugins } from '../../ui-plugins/contract.ts'
import type { ToolRow, ToolStore } from '../stores/tools.ts'

interface Deps {
  'ui-plugins': UiPlugins
  toolStore: ToolStore
}

const PAGE_URI = /^ui:\/\/([a-z][a-z0-9-]{2,47})\/([a-z][a-z0-9-]{0,47})$/
const uriOf = (pluginId: string, page: string) => `ui://${pluginId}/${page}`

/** Functions and pages of the apps that a caller may use, for clients of the Model Context Protocol. */
export function createFunctionSource({ toolStore, 'ui-plugins': apps }: Deps): ToolSource {
  const list: ToolSource['list'] = async (by, page) => {
    if (!may(by, 'read')) return { data: [], nextCursor: null }
    const { data, nextCursor } = await toolStore.listUsable(by, page)
    return { data: data.map(servedOf), nextCursor }
  }

  const call: ToolSource['call'] = async (by, name, args, order) => {
    const tool = await toolStore.findUsable(by, name)
    if (!tool) return undefined
    if (!may(by, 'write')) throw lacking('write')
    const { id, manifest } = await apps.installation(by, tool.pluginId)
    const isTool = manifest.functions.some((it) => it.name === tool.name && it.tool)
    if (id !== tool.appId || !isTool) throw notFound('Function')
    return { output: await apps.callFunction(by, tool.pluginId, tool.name, args, order) }
  }

  const pagesOf: ToolSource['pagesOf'] = async (by, toolIds) => {
    const rows = await toolStore.listNamed(by.project, toolIds)
    return new Map(
      rows.flatMap(({ id, pluginId, declared: { page } }) =>
        page === undefined ? [] : [[id, uriOf(pluginId, page)]]
      )
    )
  }

  const listPages: ToolSource['listPages'] = async (by, page) => {
    if (!may(by, 'read')) return { data: [], nextCursor: null }
    const { data, nextCursor } = await apps.usable(by, page)
    const pages = data.flatMap(({ pluginId, manifest: { name: app, description, pages } }) =>
      pages.map(({ name, title }) => ({
        uri: uriOf(pluginId, name),
        name: `${pluginId}/${name}`,
        title: `${app}: ${title}`,
        description
      }))
    )
    return { data: pages, nextCursor }
  }

  const readPage: ToolSource['readPage'] = async (by, uri) => {
    const [, pluginId, page] = PAGE_URI.exec(uri) ?? []
    if (pluginId === undefined || page === undefined) return undefined
    if (!may(by, 'read')) throw lacking('read')
    return apps.page(by, pluginId, page)
  }

  return { list, call, pagesOf, listPages, readPage }
}

/** As a route of apps would ask it of a credential that was narrowed. */
const may = ({ narrowed, scopes }: Principal, verb: 'read' | 'write'): boolean =>
  !narrowed || scopes.has('ui-plugins:write') || (verb === 'read' && scopes.has('ui-plugins:read'))
const lacking = (verb: string) =>
  forbidden(`The credential lacks the scope ui-plugins:${verb}`, { code: 'scope_missing' })

function servedOf({ toolName: name, pluginId, declared }: ToolRow): ServedTool {
  const { title, description, input: parameters, output, idempotent = false, page } = declared
  return {
    name,
    description,
    parameters,
    idempotent,
    ...(title !== undefined && { title }),
    ...(output?.type === 'object' && { output }),
    ...(page !== undefined && { page: uriOf(pluginId, page) })
  }
}
