import { createHash } from 'node:crypto'
import type { Fact, Principal, Trx } from 'agent-platform'
import { newId } from 'agent-platform'
import type { ManagedTool, Tools } from '../../tools/contract.ts'
import type { AppState, UiPlugins } from '../../ui-plugins/contract.ts'
import type { Declared, ToolRow, ToolStore } from '../stores/tools.ts'

interface Deps {
  tools: Tools
  'ui-plugins': UiPlugins
  toolStore: ToolStore
}

/** Tools of one app that are kept although its versions have them no more: for when they come back. */
const MOST_KEPT = 256
/** As `tools` takes them. */
const MOST_PARAMETERS = 65_536
const MOST_NAME = 64

const GONE = 'Its app does not have it any more'

export type FunctionTools = ReturnType<typeof createFunctionTools>

/** Keeps the list of tools as the apps are: exactly once for each change, and in their order. */
export function createFunctionTools({ tools, toolStore, 'ui-plugins': apps }: Deps) {
  const changed = (fact: Fact, trx: Trx) => update(trx, fact.project, fact.subject, actorOf(fact))

  /** By how the app stands now, whatever it was that changed. */
  async function update(trx: Trx, project: string, appId: string, by: Principal): Promise<void> {
    await toolStore.lockApp(trx, project, appId)
    const rows = await toolStore.listOfApp(trx, project, appId)
    const app = (await apps.states(trx, project, [appId])).get(appId)
    // What is gone is told by a fact of its own.
    if (!app) return
    const known = new Map(rows.map((row) => [row.name, row]))
    const declared = new Map(
      app.manifest?.functions.flatMap((fn) => (fn.tool ? [[fn.name, fn] as const] : []))
    )
    const present = [...declared.values()].map((fn) => rowOf(project, app, fn, known.get(fn.name)))
    const missing = rows.filter(({ name }) => !declared.has(name))
    const excess = missing.slice(0, Math.max(0, rows.length - MOST_KEPT))
    const kept = missing.slice(excess.length).map((row) => ({ ...row, unavailable: GONE }))
    await remove(trx, by, project, excess)
    const all = [...present, ...kept]
    const names = await tools.saveManaged(trx, by, all.map(managedToolOf))
    await toolStore.replace(
      trx,
      all.map((row) => ({ ...row, toolName: names.get(row.id) ?? row.toolName }))
    )
    await toolStore.rememberApp(trx, { project, id: appId, owner: app.owner, revision: app.revision })
  }

  async function deleted(fact: Fact, trx: Trx): Promise<void> {
    const { project, subject: appId } = fact
    await toolStore.lockApp(trx, project, appId)
    await remove(trx, actorOf(fact), project, await toolStore.listOfApp(trx, project, appId))
    await toolStore.removeApp(trx, project, appId)
  }

  async function remove(trx: Trx, by: Principal, project: string, rows: readonly ToolRow[]): Promise<void> {
    if (rows.length === 0) return
    const ids = rows.map(({ id }) => id)
    await tools.removeManaged(trx, by, project, ids)
    await toolStore.remove(trx, project, ids)
  }

  return { changed, deleted, update }
}

function rowOf(project: string, app: AppState, declared: Declared, known: ToolRow | undefined): ToolRow {
  const { id: appId, pluginId, owner, audience, status } = app
  const { name } = declared
  return {
    id: known?.id ?? newId('tool'),
    project,
    owner,
    appId,
    pluginId,
    audience,
    name,
    toolName: known?.toolName ?? toolNameOf(pluginId, name),
    declared,
    unavailable: status === 'enabled' ? faultOf(declared) : 'Its app is turned off'
  }
}

/** What registering does not ask of a schema. */
const faultOf = ({ input }: Declared): string | null =>
  JSON.stringify(input).length > MOST_PARAMETERS
    ? `Its input has a JSON Schema of more than ${MOST_PARAMETERS} characters`
    : null

/** `<app>__<function>`, whose letters are those that models may say; of what is too long the end is a hash. */
function toolNameOf(pluginId: string, name: string): string {
  const whole = `${pluginId}__${name}`
  if (whole.length <= MOST_NAME) return whole
  const end = `_${createHash('sha256').update(whole).digest('hex').slice(0, 8)}`
  return whole.slice(0, MOST_NAME - end.length) + end
}

function managedToolOf({ declared, appId, pluginId, name, ...row }: ToolRow): ManagedTool {
  const { id, project, owner, audience, unavailable } = row
  return {
    id,
    project,
    owner,
    kind: 'app',
    name: toolNameOf(pluginId, name),
    description: declared.description,
    parameters: declared.input,
    config: { appId, pluginId, function: name },
    idempotent: declared.idempotent ?? false,
    unavailable,
    audience
  }
}

/** Who made the change, as whom nothing but this is done. */
export const actorOf = ({ project, owner, actor }: Pick<Fact, 'project' | 'owner' | 'actor'>): Principal => {
  return { id: actor, type: 'user', project, owner, scopes: new Set(), narrowed: false, credential: '' }
}
