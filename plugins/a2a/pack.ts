import { definePack } from 'agent-platform'
import { cardRoutes } from './routes/cards.ts'
import { publicationRoutes } from './routes/publications.ts'
import { remoteRoutes } from './routes/remotes.ts'
import { peerTaskRoutes } from './routes/tasks.ts'
import { createAnswers } from './services/answers.ts'
import { createCards } from './services/cards.ts'
import { createPushDeliveries } from './services/deliveries.ts'
import { createIncoming } from './services/incoming.ts'
import { createPeerProgress } from './services/progress.ts'
import { createPublicationService } from './services/publications.ts'
import { createPushService } from './services/push.ts'
import { createRemoteKind } from './services/remote-calls.ts'
import { createRemoteCards } from './services/remote-cards.ts'
import { createRemoteClients } from './services/remote-client.ts'
import { createRemoteService } from './services/remotes.ts'
import { createRpc } from './services/rpc.ts'
import { createTaskGate } from './services/task-gate.ts'
import { createTaskLists } from './services/task-lists.ts'
import { createTaskStarts } from './services/task-starts.ts'
import { createTaskViews } from './services/task-views.ts'
import { createPeerTaskService } from './services/tasks.ts'
import { createPublicationStore } from './stores/publications.ts'
import { createPushConfigStore } from './stores/push-configs.ts'
import { createPeerTaskStore } from './stores/tasks.ts'

/** Agents among others: the platform's agents for agents elsewhere, by the Agent2Agent protocol. */
export default definePack({
  name: 'a2a',
  area: 'Agents',
  summary: 'agent-to-agent (A2A) protocol: publish agents to remote callers, and call remote agents as tools',
  requires: ['agents', 'jobs', 'outgoing', 'runs', 'sessions', 'tools'],
  uses: ['files', 'skills'],
  services: {
    publicationStore: createPublicationStore,
    peerTaskStore: createPeerTaskStore,
    pushConfigStore: createPushConfigStore,
    publicationService: createPublicationService,
    cards: createCards,
    incoming: createIncoming,
    answers: createAnswers,
    pushService: createPushService,
    taskViews: createTaskViews,
    taskGate: createTaskGate,
    taskStarts: createTaskStarts,
    peerTaskService: createPeerTaskService,
    pushDeliveries: createPushDeliveries,
    taskLists: createTaskLists,
    peerProgress: createPeerProgress,
    rpc: createRpc,
    remoteCards: createRemoteCards,
    remoteService: createRemoteService,
    remoteClients: createRemoteClients,
    remoteKind: createRemoteKind
  },
  routes(app, deps) {
    publicationRoutes(app, deps)
    cardRoutes(app, deps)
    peerTaskRoutes(app, deps)
    remoteRoutes(app, deps)
  },
  contributes: {
    'jobs.worker': [{ key: 'a2a.push', make: ({ pushDeliveries }) => pushDeliveries.worker }],
    'runs.gate': [{ key: 'a2a', make: ({ taskGate }) => taskGate.gate }],
    'tools.kind': [{ key: 'a2a', make: ({ remoteKind }) => remoteKind }],
    'agents.peer': [{ key: 'remote', make: ({ remoteService }) => remoteService.peers }]
  },
  cascade: {
    'agents.deleted': { publication: 'agentId', task: 'agentId', push_config: 'agentId' },
    'sessions.deleted': { task: 'sessionId' }
  },
  on: {
    'runs.started': { batch: ({ peerProgress }) => peerProgress.begun },
    'runs.suspended': { batch: ({ peerProgress }) => peerProgress.moved('input-required') },
    'runs.resumed': { batch: ({ peerProgress }) => peerProgress.moved('working') },
    'runs.completed': { batch: ({ peerProgress }) => peerProgress.moved('completed') },
    'runs.failed': { batch: ({ peerProgress }) => peerProgress.moved('failed') },
    'runs.cancelled': { batch: ({ peerProgress }) => peerProgress.moved('canceled') }
  },
  stop: async ({ publicationService }) => publicationService.close()
})
