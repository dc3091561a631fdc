import type { Kernel, Principal } from 'agent-platform'
import { Closed } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import type { ArchivePart } from '../../archives/contract.ts'
import type { Definition } from '../schemas/definition.ts'
import { Workflow, workflows } from '../schemas/workflows.ts'
import type { WorkflowService } from './workflows.ts'

interface Deps extends Pick<Kernel, 'knex'> {
  workflowService: WorkflowService
}

const { name, description, definition } = Workflow.properties
const Kept = Closed({ id: Type.String({ maxLength: 100 }), name, description, definition })
type Kept = Static<typeof Kept>

/** Workflows of the agent's owner that name the agent, as they are now; neither their executions nor their webhooks. */
export function createArchivePart({ knex, workflowService }: Deps): ArchivePart {
  /** Whether it could be made here. */
  const isRight = (by: Principal, it: Definition) =>
    workflowService.check(by, it).then(
      () => true,
      (error) => {
        if (error.kind === undefined) throw error
        return false
      }
    )

  return {
    version: 1,
    what: 'workflows in which it works',
    records: { workflow: Kept },

    async *export({ agent: { project, owner, id: agentId } }) {
      const ids: string[] = await knex(workflows.name)
        .where({ project, owner })
        .whereRaw('strpos(definition::text, ?) > 0', [`"${agentId}"`])
        .orderBy('id')
        .pluck('id')
      for (const id of ids) {
        const found = await workflows.find(knex, id)
        if (!found) continue
        const { name, description, definition } = found
        yield { kind: 'workflow', data: { id, name, description, definition } }
      }
    },

    async import({ by, reserve, map, idOf }, records) {
      for await (const { data } of records) {
        const { id: before, definition: written, ...about } = data as Kept
        const definition = withIds(written, idOf) as Definition
        if (!(await isRight(by, definition))) continue
        const id = await reserve('workflow')
        await workflowService.create(by, { ...about, definition }, id)
        map(before, id)
      }
    },

    async undo(by, ids) {
      for (const id of ids) if (await workflows.find(knex, id)) await workflowService.remove(by, id)
    }
  }
}

/** What was named by its old id is named by its new one. */
function withIds(value: unknown, idOf: (before: string) => string | undefined): unknown {
  if (typeof value === 'string') return idOf(value) ?? value
  if (Array.isArray(value)) return value.map((item) => withIds(item, idOf))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, it]) => [name, withIds(it, idOf)]))
}
