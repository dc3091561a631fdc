import { hash } from 'node:crypto'
import type { Kernel, Owned, Principal, Trx } from 'agent-platform'
import { newId } from 'agent-platform'
import type { ManagedTool, Tools } from '../contract.ts'
import { faultOfParameters } from '../parameters.ts'
import type { ToolRow } from '../rows.ts'
import type { PermissionStore } from '../stores/permissions.ts'
import type { ToolStore } from '../stores/tools.ts'
import type { ToolService } from './tools.ts'
import { isReserved, summaryOf } from './tools.ts'

interface Deps extends Pick<Kernel, 'facts'> {
  toolService: ToolService
  toolStore: ToolStore
  permissionStore: PermissionStore
}

const MAX_NAME = 64
/** Tools of one statement: definitions may be large, and other requests are not to wait for them to be written as JSON. */
const BATCH = 16

/** The name with what only this tool has at its end. */
function ownName({ name, id }: ManagedTool): string {
  const end = `_${hash('sha256', id, 'hex').slice(0, 8)}`
  return name.slice(0, MAX_NAME - end.length) + end
}

const namesOf = (tool: ManagedTool) => [tool.name, ownName(tool)]

/** Tools that packs keep, beside those that clients registered. */
export function createManagedTools({ facts, toolService, toolStore, permissionStore }: Deps) {
  const saveManaged: Tools['saveManaged'] = async (trx, by, tools) => {
    const names = new Map<string, string>()
    for (const [project, own] of Map.groupBy(tools, (tool) => tool.project)) {
      for (const tool of await saveAll(trx, by, project, own)) names.set(tool.id, tool.name)
      await saveAudiences(trx, by, project, own)
    }
    return names
  }

  const isFree = (name: string) => !isReserved(name) && !toolService.isStatic(name)

  async function saveAll(trx: Trx, by: Principal, project: string, tools: readonly ManagedTool[]) {
    const ids = tools.map(({ id }) => id)
    const known = new Map((await toolStore.list(trx, project, ids)).map((row) => [row.id, row]))
    const rows: Pick<ToolRow, 'id' | 'name'>[] = []
    const added = tools.filter(({ id }) => !known.has(id))
    for (let at = 0; at < added.length; at += BATCH)
      rows.push(...(await insert(trx, by, added.slice(at, at + BATCH))))
    const renamed = tools.flatMap((tool) => {
      const row = known.get(tool.id)
      return row && !namesOf(tool).includes(row.name) ? namesOf(tool) : []
    })
    const taken = new Set(renamed.length > 0 ? await toolStore.listNames(trx, project, renamed) : [])
    for (const tool of tools) {
      const row = known.get(tool.id)
      if (row) rows.push(await update(trx, by, { ...sound(tool), name: nameOf(tool, row, taken) }, row))
    }
    return rows
  }

  async function saveAudiences(trx: Trx, by: Principal, project: string, tools: readonly ManagedTool[]) {
    const everyone = { subjectType: 'project', subjectId: project } as const
    const open = tools.filter(({ audience }) => audience === 'project')
    const rows = open.map(({ id: toolId, owner }) => {
      return {
        id: newId('perm'),
        project,
        owner,
        toolId,
        ...everyone,
        level: 'use',
        grantedBy: by.owner
      } as const
    })
    for (const { isNew: _, ...data } of rows.length > 0 ? await permissionStore.insert(trx, rows) : [])
      await facts.record(trx, 'tools.granted', by, { subject: data.toolId, owner: data.owner, data })
    for (const { id, audience } of tools)
      if (audience === 'owner')
        for (const data of await permissionStore.removeOfSubjects(trx, project, id, [everyone]))
          await facts.record(trx, 'tools.revoked', by, { subject: id, owner: data.owner, data })
  }

  /** A tool that has a name keeps it, as long as it is one of its own two. */
  function nameOf(tool: ManagedTool, row: ToolRow, taken: Set<string>): string {
    if (namesOf(tool).includes(row.name)) return row.name
    const name = isFree(tool.name) && !taken.has(tool.name) ? tool.name : ownName(tool)
    taken.add(name)
    return name
  }

  async function insert(trx: Trx, by: Principal, tools: readonly ManagedTool[]): Promise<ToolRow[]> {
    const named = tools.map((tool) => ({
      ...sound(tool),
      name: isFree(tool.name) ? tool.name : ownName(tool)
    }))
    const rows = await toolStore.insert(trx, named)
    const written = new Set(rows.map(({ id }) => id))
    const others = named
      .filter(({ id }) => !written.has(id))
      .map((tool) => ({ ...tool, name: ownName(tool) }))
    if (others.length > 0) rows.push(...(await toolStore.insert(trx, others)))
    for (const row of rows)
      await facts.record(trx, 'tools.created', by, {
        subject: row.id,
        owner: row.owner,
        data: summaryOf(row)
      })
    return rows
  }

  async function update(trx: Trx, by: Principal, tool: ReturnType<typeof sound>, row: ToolRow) {
    const { id, project: _, owner: __, kind: ___, ...given } = tool
    const { row: updated, isChanged } = await toolStore.update(trx, row, given)
    if (isChanged)
      await facts.record(trx, 'tools.updated', by, {
        subject: id,
        owner: updated.owner,
        data: summaryOf(updated)
      })
    return updated
  }

  const removeManaged: Tools['removeManaged'] = (trx, by, project, ids) =>
    toolService.removeAll(trx, by, project, ids)

  const examine: Tools['examine'] = async (by, parameters, signal) => {
    const faults: (string | null)[] = []
    // One after the other: of what a server offers nothing stands in the way of others.
    for (const schema of parameters) faults.push(await reasonOf(by, schema, signal))
    return faults
  }

  return { saveManaged, removeManaged, examine }
}

async function reasonOf(
  by: Owned,
  parameters: object,
  signal: AbortSignal | undefined
): Promise<string | null> {
  if (signal?.aborted) return 'Its parameters could not be checked in time'
  const fault = await faultOfParameters(by, parameters, signal).catch((error) => {
    if (!signal?.aborted) throw error
    return { at: '', text: 'could not be checked in time' }
  })
  return fault ? `Its parameters are no valid JSON Schema: ${fault.at} ${fault.text}` : null
}

/** As JSON: servers send what they like. */
function sound({ parameters, config, audience: _, ...tool }: ManagedTool) {
  const json = JSON.parse(JSON.stringify({ parameters, config }))
  return { ...tool, ...(json as Pick<ToolRow, 'parameters' | 'config'>) }
}
