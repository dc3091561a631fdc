import { definePack } from 'agent-platform'
import type {} from '../archives/contract.ts'
import { listCapability, readCapability } from './capabilities.ts'
import { agentRoutes } from './routes/agents.ts'
import { connectionRoutes } from './routes/connections.ts'
import { knowledgebaseRoutes } from './routes/knowledgebase.ts'
import { agents } from './schemas.ts'
import { createAgentService } from './services/agents.ts'
import { createArchivePart } from './services/archive-part.ts'
import { createConnectionService } from './services/connections.ts'
import { createKnowledgebaseService } from './services/knowledgebase.ts'
import { createProfileService } from './services/profiles.ts'
import { createAgentStore } from './stores/agents.ts'
import { createConnectionStore } from './stores/connections.ts'
import { createKnowledgebaseStore } from './stores/knowledgebase.ts'
import { createProfileStore } from './stores/profiles.ts'

/** Agents: who they are, what they always know, whom they work with, and how they go. */
export default definePack({
  name: 'agents',
  area: 'Agents',
  summary: 'agents: instructions, model, always-on context and preferred peers',
  uses: ['models'],
  services: {
    agentStore: createAgentStore,
    agentService: createAgentService,
    connectionStore: createConnectionStore,
    connectionService: createConnectionService,
    knowledgebaseStore: createKnowledgebaseStore,
    knowledgebaseService: createKnowledgebaseService,
    profileStore: createProfileStore,
    profileService: createProfileService,
    archivePart: createArchivePart
  },
  exports: ({ agentService, agentStore, connectionService, connectionStore, profileService }) => ({
    owned: agentService.owned,
    create: (trx, by, agent) => agentService.createWithin(trx, by, agent),
    named: (by, name) => agentStore.findNamed(by, name),
    ensure: agentService.ensure,
    createChild: agentService.createChild,
    setAvatar: agentService.setAvatar,
    list: agentService.list,
    ...profileService,
    peers: connectionService.peers,
    forgetPeer: connectionStore.removeOfAgent,
    takeShare: agentStore.takeShare
  }),
  routes(app, deps) {
    agentRoutes(app, deps)
    knowledgebaseRoutes(app, deps)
    connectionRoutes(app, deps)
  },
  contributes: {
    // Before all others, which make what belongs to the agent.
    'archives.part': [{ order: -100, make: ({ archivePart }) => archivePart }],
    'ui-plugins.capability': [
      { key: 'agents.list', make: listCapability },
      { key: 'agents.read', make: readCapability }
    ],
    'platform.agents': [
      {
        make: ({ knex }) => ({
          async ownerOf(project, agentId) {
            const agent = await agents.find(knex, agentId)
            return agent?.project === project ? agent.owner : undefined
          }
        })
      }
    ]
  },
  on: {
    // The request that deleted it does so too, unless its process died before.
    'agents.deleted':
      ({ credentials }) =>
      ({ project, subject }) =>
        credentials.revokePrincipal(project, subject)
  }
})
