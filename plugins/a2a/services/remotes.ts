import type { Kernel, Principal, Searching } from 'agent-platform'
import { conflict, newId, owned, recordedEdits } from 'agent-platform'
import type { Agents, PeerKind } from '../../agents/contract.ts'
import type { Tools } from '../../tools/contract.ts'
import type { KnownCard } from '../protocol/remote-card.ts'
import type { NewRemoteAgent, RemoteAgent, RemoteAgentChanges } from '../schemas/remotes.ts'
import { remotes } from '../schemas/remotes.ts'
import type { RemoteCards } from './remote-cards.ts'

export type RemoteService = ReturnType<typeof createRemoteService>

interface Deps extends Pick<Kernel, 'knex' | 'transaction' | 'facts'> {
  agents: Agents
  tools: Tools
  remoteCards: RemoteCards
}

const MOST = 100

/** What an agent elsewhere takes. */
export const parameters = {
  type: 'object',
  properties: {
    message: {
      type: 'string',
      description: 'What it is told, in full: it knows nothing of this conversation'
    },
    data: { type: 'object', description: 'What goes along as data' },
    contextId: { type: 'string', description: 'Goes on with the conversation of an earlier result' },
    taskId: {
      type: 'string',
      description: 'Of a task whose state was input-required: the message answers it'
    }
  },
  required: ['message'],
  additionalProperties: false
} as const

/** Agents elsewhere, each of which is a tool here. */
export function createRemoteService({ knex, transaction, facts, agents, tools, remoteCards }: Deps) {
  const names = { updated: 'a2a.remote_updated', deleted: 'a2a.remote_removed' } as const
  const edits = recordedEdits({ transaction, facts }, remotes, names)

  async function register(by: Principal, { cardUrl, name }: NewRemoteAgent): Promise<RemoteAgent> {
    const card = await remoteCards.read(cardUrl)
    const { project, owner } = by
    const id = newId('remote')
    const toolId = newId('tool')
    return transaction(async (trx) => {
      const [counted] = await trx(remotes.name).where({ project, owner }).count({ count: '*' })
      if (Number(counted?.count) >= MOST)
        throw conflict(`There are ${MOST} remote agents already`, { code: 'too_many_remotes' })
      const row = { ...card, name: name ?? card.name, id, project, owner, cardUrl, toolId, toolName: '' }
      const toolName = await saveTool(trx, by, row)
      const checkedAt = new Date().toISOString()
      const made = await remotes.insert(trx, { ...row, toolName, checkedAt })
      await facts.record(trx, 'a2a.remote_registered', by, { subject: id, owner, data: made })
      return made
    })
  }

  /** Says under which name agents know it. */
  async function saveTool(
    trx: Parameters<Tools['saveManaged']>[0],
    by: Principal,
    remote: Pick<RemoteAgent, 'id' | 'owner' | 'name' | 'toolId' | 'url' | 'skills' | 'description'> & {
      project: string
    }
  ): Promise<string> {
    const { id: remoteId, project, owner, toolId, name, url } = remote
    const tool = {
      id: toolId,
      project,
      owner,
      kind: 'a2a',
      name: toolNameOf(name),
      parameters,
      idempotent: false
    }
    const saved = await tools.saveManaged(trx, by, [
      { ...tool, description: descriptionOf(remote), config: { remoteId, url }, unavailable: null }
    ])
    return saved.get(toolId) ?? tool.name
  }

  const list = (by: Principal, page: Searching) => remotes.list(knex, by, page)
  const read = (by: Principal, id: string) => remotes.owned(knex, by, id, 'read')

  async function update(by: Principal, id: string, changes: RemoteAgentChanges, version?: number) {
    return edits.update(by, await remotes.owned(knex, by, id, 'change'), changes, version)
  }

  /** What its card says now, its address included: for its owner to ask for, never of itself. */
  async function refresh(by: Principal, id: string): Promise<RemoteAgent> {
    const found = await remotes.owned(knex, by, id, 'change')
    const { name: _, ...card }: KnownCard & Pick<RemoteAgent, 'signature'> = await remoteCards.read(
      found.cardUrl
    )
    return transaction(async (trx) => {
      const { row, isChanged } = await remotes.update(trx, found, {
        ...card,
        checkedAt: new Date().toISOString()
      })
      const { owner } = row
      await saveTool(trx, by, row)
      if (isChanged) await facts.record(trx, 'a2a.remote_updated', by, { subject: id, owner, data: row })
      return row
    })
  }

  async function remove(by: Principal, id: string, version?: number) {
    const found = await remotes.owned(knex, by, id, 'change')
    return transaction(async (trx) => {
      const { project, owner, toolId } = await remotes.remove(trx, found, version)
      await tools.removeManaged(trx, by, project, [toolId])
      await agents.forgetPeer(trx, project, id)
      await facts.record(trx, 'a2a.remote_removed', by, { subject: id, owner, data: { id } })
      return { id, deleted: true as const }
    })
  }

  /** Agents here prefer agents elsewhere of the same owner. */
  const peers: PeerKind = {
    check: async (by, id, param) =>
      void owned(by, await remotes.find(knex, id), 'Remote agent', 'change', { param }),
    list: (project, ids) =>
      knex(remotes.name)
        .where({ project })
        .whereIn('id', [...ids])
        .select('id', 'name', 'toolId')
  }

  return { register, list, read, update, refresh, remove, peers }
}

const toolNameOf = (name: string): string => {
  const slug = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '')
  return `ask_${slug.slice(0, 50) || 'agent'}`
}

const descriptionOf = ({ name, description, skills }: Pick<RemoteAgent, 'name' | 'description' | 'skills'>) =>
  [
    `Gives a task to ${name}, an agent elsewhere, and waits for what comes of it.`,
    description,
    ...skills.slice(0, 20).map((skill) => `- ${skill.name}: ${skill.description}`)
  ]
    .filter(Boolean)
    .join('\n')
    .slice(0, 4_000)
