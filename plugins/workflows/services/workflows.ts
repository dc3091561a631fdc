import { isDeepStrictEqual } from 'node:util'
import type { Kernel, Owned, Principal, Searching, Verb } from 'agent-platform'
import { owned } from 'agent-platform'
import type { Definition } from '../schemas/definition.ts'
import type { NewWorkflow, Workflow, WorkflowChanges, WorkflowQuery } from '../schemas/workflows.ts'
import { summaries, workflows } from '../schemas/workflows.ts'
import type { PublicWorkflowStore } from '../stores/public-workflows.ts'
import type { VersionStore } from '../stores/versions.ts'
import type { WebhookStore } from '../stores/webhooks.ts'
import type { DefinitionCheck } from './definition-check.ts'
import { published } from './published.ts'

export type WorkflowService = ReturnType<typeof createWorkflowService>

interface Deps extends Pick<Kernel, 'knex' | 'transaction' | 'facts'> {
  versionStore: VersionStore
  publicWorkflowStore: PublicWorkflowStore
  definitionCheck: DefinitionCheck
  webhookStore: WebhookStore
}

/** What a fact says of one: never its definition, which may hold what its steps are given. */
export const shown = ({ id, name, visibility, version }: Workflow) => ({ id, name, visibility, version })

function isReached(by: Principal, found: Workflow & Owned): boolean {
  try {
    return owned(by, found, workflows.what, 'read') === found
  } catch {
    return false
  }
}

export function createWorkflowService({
  knex,
  transaction,
  facts,
  versionStore,
  publicWorkflowStore,
  definitionCheck,
  webhookStore
}: Deps) {
  /** 404, and 403 at `param`: a public one may be read by all, also of other projects, and run by its owner alone. */
  async function find(by: Principal, id: string, verb: Verb, param?: string): Promise<Workflow & Owned> {
    const found = await workflows.find(knex, id)
    if (found?.visibility === 'public' && verb === 'read') return found
    return owned(by, found, workflows.what, verb, { param })
  }

  const check = (by: Principal, definition: Definition) =>
    definitionCheck(by, definition, (by, id, param) => find(by, id, 'run', param))

  async function create(
    by: Principal,
    { description = null, visibility = 'private', ...input }: NewWorkflow,
    id?: string
  ) {
    const { project, owner } = by
    await check(by, input.definition)
    return transaction(async (trx) => {
      const known = { ...(id !== undefined && { id }), project, owner }
      const workflow = await workflows.insert(trx, { ...input, ...known, description, visibility })
      await versionStore.insert(trx, workflow)
      const data = shown(workflow)
      await facts.record(trx, 'workflows.created', by, { subject: workflow.id, owner, data })
      return workflow
    })
  }

  const list = (by: Principal, { visibility, ...page }: WorkflowQuery) =>
    summaries.list(knex, by, page, { visibility })

  const listPublic = (page: Searching) => publicWorkflowStore.listPublic(page)

  /** A public one without what is private, where the caller is not its owner. */
  async function read(by: Principal, id: string): Promise<Workflow> {
    const found = await find(by, id, 'read')
    return isReached(by, found) ? found : published(found)
  }

  async function update(by: Principal, id: string, changes: WorkflowChanges, version?: number) {
    const found = await find(by, id, 'change')
    if (changes.definition && !isDeepStrictEqual(changes.definition, found.definition))
      await check(by, changes.definition)
    return transaction(async (trx) => {
      const before = await workflows.lock(trx, found, version)
      const { row, isChanged } = await workflows.update(trx, found, changes)
      if (!isChanged) return row
      if (!isDeepStrictEqual(before.definition, row.definition)) await versionStore.insert(trx, row)
      await facts.record(trx, 'workflows.updated', by, { subject: id, owner: row.owner, data: shown(row) })
      return row
    })
  }

  async function remove(by: Principal, id: string, version?: number) {
    const found = await find(by, id, 'change')
    return transaction(async (trx) => {
      await workflows.remove(trx, found, version)
      // Its token is good for nothing from then on.
      await webhookStore.remove(trx, found.project, id)
      await facts.record(trx, 'workflows.deleted', by, { subject: id, owner: found.owner, data: { id } })
      return { id, deleted: true as const }
    })
  }

  return { owned: find, check, create, list, listPublic, read, update, remove }
}
