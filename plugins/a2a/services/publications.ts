import type { Kernel, Paging, Principal } from 'agent-platform'
import { invalid, notFound, recordedEdits, unavailable } from 'agent-platform'
import type { Agents } from '../../agents/contract.ts'
import type { Skills } from '../../skills/contract.ts'
import type { Tools } from '../../tools/contract.ts'
import type { PublicationChanges } from '../schemas/publications.ts'
import { publications } from '../schemas/publications.ts'
import type { PublicationRow, PublicationStore } from '../stores/publications.ts'

export type PublicationService = ReturnType<typeof createPublicationService>

/** Signal: what an agent is published as has changed. */
const CHANGED = 'a2a.published'
/** A signal may be lost. */
const BELIEVE_MS = 10_000

interface Deps extends Pick<Kernel, 'knex' | 'transaction' | 'facts' | 'remembered'> {
  agents: Agents
  tools: Tools
  skills: Skills | undefined
  publicationStore: PublicationStore
}

/** What owners let others know of their agents. */
export function createPublicationService(deps: Deps) {
  const { knex, transaction, facts, remembered, agents, tools, skills, publicationStore } = deps
  const load = async (key: string) =>
    (await publicationStore.find(...(JSON.parse(key) as [string, string]))) !== undefined
  const keyOf = (project: string, agentId: string) => JSON.stringify([project, agentId])
  const known = remembered(CHANGED, load, BELIEVE_MS)
  const names = { updated: 'a2a.publication_updated', deleted: 'a2a.unpublished' } as const
  const edits = recordedEdits({ transaction, facts }, publications, names)

  const list = (by: Principal, page: Paging) => publications.list(knex, by, page)

  /** Of an agent that the principal may run; 404 where it is not published. */
  async function read(by: Principal, agentId: string): Promise<PublicationRow> {
    const { project } = await agents.owned(by, agentId, 'run')
    return published(project, agentId)
  }

  async function published(project: string, agentId: string): Promise<PublicationRow> {
    const row = await publicationStore.find(project, agentId)
    if (!row) throw notFound('Publication', { code: 'not_published' })
    return row
  }

  async function publish(by: Principal, agentId: string, changes: PublicationChanges, version?: number) {
    const { project } = await agents.owned(by, agentId, 'change')
    await check(by, project, agentId, changes)
    const found = await publicationStore.find(project, agentId)
    if (found) return edits.update(by, found, changes, version)
    const { description = null, tools = [], skills = [] } = changes
    const row = { agentId, description, tools, skills }
    try {
      const made = await agents.createChild(by, publications, row, 'a2a.published')
      known.changed(keyOf(project, agentId))
      return made
    } catch (error) {
      const other = isDouble(error) && (await publicationStore.find(project, agentId))
      if (!other) throw error
      // Another request was faster.
      return edits.update(by, other, changes, version)
    }
  }

  /** 400 for what the agent has not. */
  async function check(by: Principal, project: string, agentId: string, changes: PublicationChanges) {
    if (changes.tools?.length) {
      const offered = new Set((await tools.offer(by, agentId)).map(({ id }) => id))
      refuse('/tools', changes.tools, offered, 'a tool')
    }
    if (!changes.skills?.length) return
    if (!skills)
      throw unavailable('skills is not installed or off', { code: 'capability_missing', param: '/skills' })
    const given = new Set((await skills.givenTo(project, agentId)).map(({ id }) => id))
    refuse('/skills', changes.skills, given, 'a skill')
  }

  async function unpublish(by: Principal, agentId: string, version?: number) {
    const { project } = await agents.owned(by, agentId, 'change')
    const gone = await edits.remove(by, await published(project, agentId), version)
    known.changed(keyOf(project, agentId))
    return gone
  }

  /** 404 for one that takes no tasks; from memory as a rule. */
  async function refuseUnpublished(project: string, agentId: string): Promise<void> {
    if (!(await known.of(keyOf(project, agentId)))) throw notFound('Publication', { code: 'not_published' })
  }

  return { list, read, publish, unpublish, refuseUnpublished, close: () => known[Symbol.dispose]() }
}

const isDouble = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === '23505'

function refuse(param: string, ids: readonly string[], known: ReadonlySet<string>, what: string): void {
  const index = ids.findIndex((id) => !known.has(id))
  if (index >= 0) throw invalid(`${param}/${index}`, `${param}/${index} is not ${what} of the agent`)
}
