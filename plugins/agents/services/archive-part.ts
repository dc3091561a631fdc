import type { Kernel } from 'agent-platform'
import { Closed, invalid, typeOfId } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import type { ArchivePart, Examining } from '../../archives/contract.ts'
import type { Models } from '../../models/contract.ts'
import { agentFields, agents } from '../schemas.ts'
import type { AgentService } from './agents.ts'
import type { ConnectionService } from './connections.ts'
import type { KnowledgebaseService } from './knowledgebase.ts'
import { checkOptions } from './option-limits.ts'

interface Deps extends Pick<Kernel, 'knex' | 'transaction'> {
  models: Models | undefined
  agentService: AgentService
  connectionService: ConnectionService
  knowledgebaseService: KnowledgebaseService
}

const { options, ...fields } = agentFields
/** Archives of earlier versions have no options. */
const Agent = Closed({ id: Type.String({ maxLength: 100 }), ...fields, options: Type.Optional(options) })
const Context = Closed({ content: Type.String({ maxLength: 200_000 }) })
const Peer = Closed({
  peerAgentId: Type.String({ maxLength: 100 }),
  name: Type.String({ maxLength: 300 }),
  description: Type.Union([Type.String({ maxLength: 500 }), Type.Null()])
})

/** Of the deployment itself: it takes no key. */
const BUILT_IN = 'local'

/** The agent itself, what it always knows, and whom it prefers to work with. */
export function createArchivePart(deps: Deps): ArchivePart {
  const { knex, transaction, models, agentService, connectionService, knowledgebaseService } = deps

  function isKnown(provider: string): boolean {
    try {
      models?.checkProvider(provider, '/modelProvider')
      return true
    } catch {
      return false
    }
  }

  const peerOf = (by: Examining['by'], id: string) =>
    typeOfId(id) === 'agent' ? agentService.owned(by, id, 'run').catch(() => undefined) : undefined

  return {
    version: 1,
    what: 'the agent, its always-on context and its preferred peers',
    records: { agent: Agent, context: Context, peer: Peer },

    async *export({ by, agent, need }) {
      const { id, name, instructions, modelProvider, modelId, temperature, maxTokens, options } = agent
      const given = { id, name, instructions, modelProvider, modelId, temperature, maxTokens }
      yield { kind: 'agent', data: { ...given, ...(options && { options }) } }
      if (modelProvider !== null && modelProvider !== BUILT_IN)
        need({
          type: 'key',
          name: modelProvider,
          text: 'A key of the provider of its model, where the platform or the project has none'
        })
      const { content } = await knowledgebaseService.read(by, id)
      if (content !== '') yield { kind: 'context', data: { content } }
      for (const { agentId: peerAgentId, name, description } of await connectionService.peers(by, id))
        yield { kind: 'peer', data: { peerAgentId, name, description } }
    },

    async examine({ by, lack }, records) {
      let isFirst = true
      for await (const { kind, data } of records) {
        if (isFirst !== (kind === 'agent'))
          throw invalid('/fileId', 'The archive has not one agent before all else', 'archive_invalid')
        isFirst = false
        if (kind === 'agent') {
          const { modelProvider } = data as Static<typeof Agent>
          if (modelProvider !== null && !isKnown(modelProvider))
            lack({ type: 'model', name: modelProvider, text: 'The agent takes the default model' })
        } else if (kind === 'peer') {
          const { peerAgentId, name } = data as Static<typeof Peer>
          if (!(await peerOf(by, peerAgentId)))
            lack({ type: 'agent', name, text: 'A preferred peer, which is left out' })
        }
      }
      if (isFirst) throw invalid('/fileId', 'The archive has no agent', 'archive_invalid')
    },

    async import({ by, agentId, name, map }, records) {
      for await (const { kind, data } of records) {
        if (kind === 'agent') {
          const { id, ...fields } = data as Static<typeof Agent>
          const model = fields.modelProvider !== null && !isKnown(fields.modelProvider)
          const agent = {
            ...fields,
            ...(model && { modelProvider: null, modelId: null }),
            ...(fields.options?.fallbacks && {
              options: {
                ...fields.options,
                fallbacks: fields.options.fallbacks.filter((it) => isKnown(it.modelProvider))
              }
            }),
            ...(name && { name })
          }
          await checkOptions(by, agent.options)
          map(id, agentId)
          await transaction((trx) => agentService.createWithin(trx, by, agent, agentId))
        } else if (kind === 'context') {
          await knowledgebaseService.replace(by, agentId, (data as Static<typeof Context>).content)
        } else {
          const { peerAgentId, description } = data as Static<typeof Peer>
          if (await peerOf(by, peerAgentId))
            await connectionService.pin(by, agentId, { peerAgentId, description })
        }
      }
    },

    async undo(by, ids) {
      for (const id of ids) if (await agents.find(knex, id)) await agentService.remove(by, id)
    }
  }
}
