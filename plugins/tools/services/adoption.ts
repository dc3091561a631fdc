import { hash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Kernel, Principal, Trx } from 'agent-platform'
import type { Adopted, Tools } from '../contract.ts'
import { faultOfParameters } from '../parameters.ts'
import type { ToolRow } from '../rows.ts'
import type { ToolStore } from '../stores/tools.ts'
import type { ToolService } from './tools.ts'
import { isReserved, told } from './tools.ts'

interface Deps extends Pick<Kernel, 'facts'> {
  toolService: ToolService
  toolStore: ToolStore
}

const MAX_NAME = 64

/** The name with what only this tool has at its end. */
function ownName({ name, id }: Adopted): string {
  const end = `_${hash('sha256', id, 'hex').slice(0, 8)}`
  return name.slice(0, MAX_NAME - end.length) + end
}

/** Tools that packs keep, beside those that clients registered. */
export function createAdoption({ facts, toolService, toolStore }: Deps) {
  const adopt: Tools['adopt'] = async (trx, by, tools) => {
    const names = new Map<string, string>()
    for (const [project, own] of Map.groupBy(tools, (tool) => tool.project))
      for (const tool of await adoptAll(trx, by, project, own)) names.set(tool.id, tool.name)
    return names
  }

  async function adoptAll(trx: Trx, by: Principal, project: string, tools: readonly Adopted[]) {
    await toolStore.takeNames(trx, project)
    const ids = tools.map(({ id }) => id)
    const known = new Map((await toolStore.list(trx, project, ids)).map((row) => [row.id, row]))
    const wanted = tools.flatMap((tool) => [tool.name, ownName(tool)])
    const taken = new Set(await toolStore.listNames(trx, project, wanted))
    const isFree = (name: string) => !taken.has(name) && !isReserved(name) && !toolService.isStatic(name)

    /** A tool that has a name keeps it, as long as it is one of its own two. */
    function nameOf(tool: Adopted, row: ToolRow | undefined): string {
      if (row && [tool.name, ownName(tool)].includes(row.name)) return row.name
      const name = isFree(tool.name) ? tool.name : ownName(tool)
      taken.add(name)
      return name
    }

    const rows: Pick<ToolRow, 'id' | 'name'>[] = []
    for (const tool of tools) {
      const row = known.get(tool.id)
      rows.push(await write(trx, by, { ...sound(tool), name: nameOf(tool, row) }, row))
    }
    return rows
  }

  async function write(trx: Trx, by: Principal, tool: Adopted, row: ToolRow | undefined) {
    const { id, project, owner, kind, ...given } = tool
    const subject = { subject: id, owner: row?.owner ?? owner }
    if (!row) {
      const config = { ...given.config }
      const inserted = await toolStore.insert(trx, { id, project, owner, kind, ...given, config })
      await facts.record(trx, 'tools.created', by, { ...subject, data: told(inserted) })
      return inserted
    }
    const changed = Object.entries(given).filter(
      ([field, value]) => !isDeepStrictEqual(row[field as keyof typeof given], value)
    )
    if (changed.length === 0) return row
    const updated = await toolStore.update(trx, { project, id }, Object.fromEntries(changed))
    if (updated) await facts.record(trx, 'tools.updated', by, { ...subject, data: told(updated) })
    return updated ?? row
  }

  const disown: Tools['disown'] = (trx, by, project, ids) => toolService.removeAll(trx, by, project, ids)

  return { adopt, disown }
}

/** As JSON, and not offered where arguments could not be checked: servers send what they like. */
function sound(tool: Adopted): Adopted {
  const { parameters, config } = JSON.parse(
    JSON.stringify({ parameters: tool.parameters, config: tool.config })
  )
  const fault = tool.unavailable === null && faultOfParameters(parameters)
  const unavailable = fault
    ? `Its parameters are no valid JSON Schema: ${fault.at} ${fault.text}`
    : tool.unavailable
  return { ...tool, parameters, config, unavailable }
}
