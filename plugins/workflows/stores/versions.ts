import type { Kernel, Trx } from 'agent-platform'
import { newId } from 'agent-platform'
import type { Definition } from '../schemas/definition.ts'
import type { Workflow } from '../schemas/workflows.ts'

export type VersionStore = ReturnType<typeof createVersionStore>

/** Definitions as they were: what an execution began with stays. Never changed. */
export function createVersionStore({ knex }: Pick<Kernel, 'knex'>) {
  return {
    /** The definition that a workflow had in that version; only edits of the definition make a row. */
    async find(project: string, workflowId: string, version: number): Promise<Definition | undefined> {
      const row = await knex('workflows.version')
        .where({ project, workflowId })
        .andWhere('version', '<=', version)
        .orderBy('version', 'desc')
        .first('definition')
      return row?.definition
    },

    async insert(
      trx: Trx,
      { project, owner, id: workflowId, version, definition }: Workflow & { project: string }
    ) {
      await trx('workflows.version').insert({
        project,
        id: newId('version'),
        owner,
        workflowId,
        version,
        definition: JSON.stringify(definition)
      })
    }
  }
}
