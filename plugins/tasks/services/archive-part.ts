import type { Kernel } from 'agent-platform'
import { Closed } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import type { ArchivePart } from '../../archives/contract.ts'
import { given, tasks } from '../schemas/tasks.ts'
import type { TaskRow } from '../stores/tasks.ts'
import { isOver } from '../transitions.ts'
import type { TaskService } from './tasks.ts'

interface Deps extends Pick<Kernel, 'knex'> {
  taskService: TaskService
}

const { agentId: _, ...fields } = given
const Given = Closed({ ...fields, active: Type.Boolean() })
const names = Object.keys(fields) as (keyof typeof fields)[]
const PAGE = 200

/** Tasks of the agent's owner, without their runs. */
export function createArchivePart({ knex, taskService }: Deps): ArchivePart {
  return {
    version: 1,
    what: 'its tasks and their schedules',
    records: { task: Given },

    async *export({ agent: { project, owner, id: agentId } }) {
      for (let after = ''; ; ) {
        const rows: TaskRow[] = await knex(tasks.name)
          .where({ project, owner, agentId })
          .where('id', '>', after)
          .orderBy('id')
          .limit(PAGE)
          .select([...tasks.columns])
        for (const row of rows) {
          const said = Object.fromEntries(names.map((name) => [name, row[name]]))
          yield { kind: 'task', data: { ...said, active: !isOver(row.status) } }
        }
        const last = rows.at(-1)
        if (!last) return
        after = last.id
      }
    },

    async examine({ lack }, records) {
      for await (const { data } of records) {
        const { executionMode, title } = data as Static<typeof Given>
        if (executionMode === 'workflow')
          lack({
            type: 'workflow',
            name: title,
            text: 'The task is left out, unless its workflow is in the archive'
          })
      }
    },

    async import({ by, agentId, activate, idOf }, records) {
      for await (const { data } of records) {
        const { active, ...task } = data as Static<typeof Given>
        const workflowId = idOf(task.workflowId) ?? null
        if (task.workflowId !== null && workflowId === null) continue
        const sessionId = idOf(task.sessionId) ?? null
        const isAlone = task.executionMode === 'sequential' && sessionId === null
        const mode = isAlone ? ('single' as const) : task.executionMode
        const made = { ...task, agentId, sessionId, workflowId, executionMode: mode }
        await taskService.create(by, made, { rests: !(activate && active) })
      }
    }
  }
}
