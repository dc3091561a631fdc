import type { Kernel, Principal } from 'agent-platform'
import { Closed, canonicalJson } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import type { ArchivePart, ArchiveRecord } from '../../archives/contract.ts'
import { withoutCredentials } from '../credential-names.ts'
import type { ToolRow } from '../rows.ts'
import { assignments, Policy } from '../schemas/assignments.ts'
import { ToolName, tools } from '../schemas/tools.ts'
import type { MappingStore } from '../stores/mappings.ts'
import type { ToolStore } from '../stores/tools.ts'
import type { AssignmentService } from './assignments.ts'
import type { Authorization } from './authorization.ts'
import type { ToolService } from './tools.ts'

interface Deps extends Pick<Kernel, 'knex' | 'points'> {
  authorization: Authorization
  assignmentService: AssignmentService
  mappingStore: MappingStore
  toolService: ToolService
  toolStore: ToolStore
}

const Json = Type.Record(Type.String(), Type.Unknown())
const Tool = Closed({
  id: Type.String({ maxLength: 100 }),
  name: ToolName,
  kind: Type.String({ maxLength: 64 }),
  description: Type.String({ minLength: 1, maxLength: 10_000 }),
  parameters: Json,
  config: Json,
  idempotent: Type.Boolean()
})
const Assignment = Closed({
  toolId: Type.String({ maxLength: 100 }),
  toolName: Type.String({ maxLength: 200 }),
  policy: Policy,
  enabled: Type.Boolean()
})
type Tool = Static<typeof Tool>
type Assignment = Static<typeof Assignment>

const MOST_NAMES = 100

/** What the agent was assigned, with the tools of that which its owner made; never their keys. */
export function createArchivePart(deps: Deps): ArchivePart {
  const { knex, points, authorization, assignmentService, mappingStore, toolService, toolStore } = deps

  const isRegistered = ({ kind }: Pick<ToolRow, 'kind'>) =>
    points.all('tools.kind').some(({ key, value }) => key === kind && value.check)

  /** One of that name that is just like it, else undefined. */
  async function sameAs(by: Principal, tool: Tool): Promise<string | undefined> {
    const found = await toolStore.findNamed(by.project, tool.name)
    if (found?.owner !== by.owner || found.kind !== tool.kind) return undefined
    const said = ({ description, parameters, config, idempotent }: Tool | ToolRow) =>
      canonicalJson([description, parameters, withoutCredentials(config).config, idempotent])
    return said(found) === said(tool) ? found.id : undefined
  }

  async function freeName(project: string, name: string): Promise<string> {
    for (let number = 1; number <= MOST_NAMES; number++) {
      const wanted = number === 1 ? name : `${name.slice(0, 60)}_${number}`
      if (!toolService.isStatic(wanted) && !(await toolStore.findNamed(project, wanted))) return wanted
    }
    return `${name.slice(0, 50)}_${Date.now().toString(36)}`
  }

  const isTool = (by: Principal, tool: Tool) =>
    toolService.examine(by, tool).then(
      () => true,
      (error) => {
        if (error.kind === undefined) throw error
        return false
      }
    )

  /** A tool that is here already and that the principal may use. */
  async function usable(by: Principal, { toolId, toolName }: Assignment): Promise<string | undefined> {
    if (toolService.isStatic(toolId)) return toolId
    const found = await toolStore.findNamed(by.project, toolName)
    return found && (await authorization.granted(by, found.id, 'use')) ? found.id : undefined
  }

  const asTool = ({ kind, data }: ArchiveRecord) => (kind === 'tool' ? (data as Tool) : undefined)

  return {
    version: 1,
    what: 'its tools, and what it may do with them',
    records: { tool: Tool, assignment: Assignment },

    async *export({ agent: { project, owner, id: agentId }, need }) {
      const given: Assignment[] = await knex(assignments.name)
        .where({ project, agentId })
        .orderBy('id')
        .select('toolId', 'policy', 'enabled')
      const records: ArchiveRecord[] = []
      for (const { toolId, policy, enabled } of given) {
        const tool = await tools.find(knex, toolId)
        const toolName = tool?.name ?? toolId
        records.push({ kind: 'assignment', data: { toolId, toolName, policy, enabled } })
        if (!tool) continue
        for (const { in: place, name } of await mappingStore.listInjectable(project, toolId))
          need({
            type: 'key',
            name: `${toolName}: ${place} ${name}`,
            text: 'A key or connection that is mapped to the tool'
          })
        if (tool.owner !== owner || !isRegistered(tool)) continue
        const { name, kind, description, parameters, idempotent } = tool
        const { config, left } = withoutCredentials(tool.config)
        for (const at of left)
          need({
            type: 'key',
            name: `${name}: ${at}`,
            text: 'It looked like a secret in the config of the tool'
          })
        yield { kind: 'tool', data: { id: toolId, name, kind, description, parameters, config, idempotent } }
      }
      yield* records
    },

    async examine({ by, lack }, records) {
      const made = new Set<string>()
      for await (const record of records) {
        const tool = asTool(record)
        if (tool) {
          if (await isTool(by, tool)) made.add(tool.id)
          continue
        }
        const wanted = record.data as Assignment
        if (!made.has(wanted.toolId) && !(await usable(by, wanted)))
          lack({ type: 'tool', name: wanted.toolName, text: 'The agent is not assigned it' })
      }
    },

    async import({ by, agentId, reserve, map, idOf }, records) {
      for await (const record of records) {
        const tool = asTool(record)
        if (tool) {
          const known = await sameAs(by, tool)
          if (known) map(tool.id, known)
          if (known || !(await isTool(by, tool))) continue
          const { id: before, ...input } = tool
          const id = await reserve('tool')
          await toolService.create(by, { ...input, name: await freeName(by.project, tool.name) }, id)
          map(before, id)
          continue
        }
        const { policy, enabled, ...wanted } = record.data as Assignment
        const toolId = idOf(wanted.toolId) ?? (await usable(by, record.data as Assignment))
        if (toolId) await assignmentService.assign(by, agentId, { toolId, policy, enabled })
      }
    },

    async undo(by, ids) {
      for (const id of ids) if (await tools.find(knex, id)) await toolService.remove(by, id)
    }
  }
}
