import type { Kernel, Principal } from 'agent-platform'
import { invalid } from 'agent-platform'
import type { Agents } from '../../agents/contract.ts'
import type { Definition, Step } from '../schemas/definition.ts'
import type { NewFork } from '../schemas/workflows.ts'
import { workflows } from '../schemas/workflows.ts'
import type { VersionStore } from '../stores/versions.ts'
import type { Place } from '../validation/places.ts'
import { scopesOf } from '../validation/places.ts'
import type { WorkflowService } from './workflows.ts'
import { shown } from './workflows.ts'

export type ForkService = ReturnType<typeof createForkService>

interface Deps extends Pick<Kernel, 'transaction' | 'facts'> {
  agents: Agents
  workflowService: WorkflowService
  versionStore: VersionStore
}

/** Parts of configs that name what belongs to an owner. */
const NAMES = ['agentId', 'sessionId', 'workflowId', 'principals']

const isExpression = (value: unknown) => typeof value === 'string' && value.includes('{{')
const isRefusal = (error: unknown) =>
  ['notFound', 'forbidden'].includes(String((error as { kind?: unknown } | null)?.kind))

/** Copies of workflows for those who may read them. */
export function createForkService({ transaction, facts, agents, workflowService, versionStore }: Deps) {
  async function mayUse(by: Principal, name: string, value: unknown): Promise<boolean> {
    if (isExpression(value)) return true
    if (name === 'sessionId' || name === 'principals') return false
    const use =
      name === 'agentId'
        ? agents.owned(by, String(value), 'run')
        : workflowService.owned(by, String(value), 'run')
    return use.then(
      () => true,
      (error) => {
        if (isRefusal(error)) return false
        throw error
      }
    )
  }

  /** The definition with nothing in it that the principal may not use, and what is gone from it. */
  async function adapted(by: Principal, original: Definition, references: Readonly<Record<string, string>>) {
    const definition = structuredClone(original)
    const cleared: string[] = []
    async function adapt({ config = {} }: Pick<Step, 'config'>, at: string) {
      for (const name of NAMES.filter((name) => config[name] !== undefined)) {
        const own = references[String(config[name])]
        if (own !== undefined) {
          if (!(await mayUse(by, name, own)))
            throw invalid('/references', `/references: the caller may not use ${own} as ${name}`)
          config[name] = own
        } else if (!(await mayUse(by, name, config[name]))) {
          delete config[name]
          cleared.push(`${at}/config/${name}`)
        }
      }
    }
    const places: readonly Place[] = scopesOf(definition).flatMap(({ places }) => places)
    for (const { step, at } of places) {
      await adapt(step, at)
      if (step.compensation) await adapt(step.compensation, `${at}/compensation`)
    }
    return { definition, cleared }
  }

  /** A private workflow of the principal's, of version 1: neither its executions nor its webhook come along. */
  async function fork(by: Principal, id: string, { name, references = {} }: NewFork) {
    const original = await workflowService.owned(by, id, 'read')
    const { definition, cleared } = await adapted(by, original.definition, references)
    const { project, owner } = by
    const { description } = original
    return transaction(async (trx) => {
      const made = { name: name ?? original.name, description, definition, visibility: 'private' as const }
      const workflow = await workflows.insert(trx, { ...made, project, owner })
      await versionStore.insert(trx, workflow)
      const data = { ...shown(workflow), from: id }
      await facts.record(trx, 'workflows.forked', by, { subject: workflow.id, owner, data })
      return { ...workflow, cleared }
    })
  }

  return { fork }
}
