import { definePack } from 'agent-platform'
import type {} from '../agents/contract.ts'
import type {} from '../computers/contract.ts'
import type {} from '../jobs/contract.ts'
import type {} from '../runs/contract.ts'
import { protocolRoutes } from './routes/protocol.ts'
import { runtimeRoutes } from './routes/runtimes.ts'
import { createConfiguring } from './services/configuring.ts'
import { createEnding } from './services/ending.ts'
import { createRuntimeExecutor } from './services/executor.ts'
import { createIssuing } from './services/issuing.ts'
import { createProtocol } from './services/protocol.ts'
import { createRemoval } from './services/removal.ts'
import { createRuntimeService } from './services/runtimes.ts'
import { createSnapshots } from './services/snapshots.ts'
import { createSupervision } from './services/supervision.ts'
import { createTurns } from './services/turns.ts'
import { createWatching } from './services/watching.ts'
import { RuntimeSettings } from './settings.ts'
import { createProcessStore } from './stores/processes.ts'
import { createRuntimeStore } from './stores/runtimes.ts'
import { createTurnStore } from './stores/turns.ts'

/** Runtimes: an agent runs as a program of its owner's, in its computer, in place of the native loop. */
export default definePack({
  name: 'runtimes',
  area: 'Agents',
  summary: 'agents that run as your own programs instead of the built-in loop',
  requires: ['agents', 'computers', 'jobs', 'runs'],
  settings: RuntimeSettings,
  services: {
    runtimeStore: createRuntimeStore,
    processStore: createProcessStore,
    turnStore: createTurnStore,
    snapshots: createSnapshots,
    issuing: createIssuing,
    turns: createTurns,
    ending: createEnding,
    watching: createWatching,
    supervision: createSupervision,
    runtimeExecutor: createRuntimeExecutor,
    configuring: createConfiguring,
    runtimeService: createRuntimeService,
    protocol: createProtocol,
    removal: createRemoval
  },
  routes(app, deps) {
    runtimeRoutes(app, deps)
    protocolRoutes(app, deps)
  },
  contributes: {
    'runs.executor': [{ make: ({ runtimeExecutor }) => runtimeExecutor.executor }],
    'jobs.worker': [
      { key: 'runtimes.reconcile', make: ({ supervision }) => supervision.worker },
      { key: 'runtimes.clean-up', make: ({ removal }) => removal.cleanUp }
    ]
  },
  on: {
    'agents.deleted': ({ removal }) => removal.agentDeleted,
    'runs.completed': { batch: ({ removal }) => removal.runsEnded },
    'runs.failed': { batch: ({ removal }) => removal.runsEnded },
    'runs.cancelled': { batch: ({ removal }) => removal.runsEnded }
  },
  cascade: { 'agents.deleted': { turn: 'agentId', process: 'agentId', runtime: 'agentId' } },
  start: ({ supervision }) => supervision.open(),
  resume: ({ supervision }) => supervision.begin(),
  async stop({ supervision, runtimeExecutor }) {
    supervision.end()
    runtimeExecutor.end()
  }
})
