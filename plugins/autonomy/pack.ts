import { definePack } from 'agent-platform'
import type {} from '../agents/contract.ts'
import type {} from '../archives/contract.ts'
import type {} from '../jobs/contract.ts'
import type {} from '../models/contract.ts'
import type {} from '../runs/contract.ts'
import type {} from '../sessions/contract.ts'
import { heartbeatPart } from './archive-part.ts'
import { autonomyRoutes } from './routes.ts'
import { createBeatService } from './services/beats.ts'
import { createHeartbeatService } from './services/heartbeats.ts'
import { createRunStarts } from './services/run-starts.ts'
import { createTriggerService } from './services/triggers.ts'
import { AutonomySettings } from './settings.ts'
import { createBeatStore } from './stores/beats.ts'
import { createHeartbeatStore } from './stores/heartbeats.ts'

/** Autonomy: agents act without being asked, again and again, or when something outside happens. */
export default definePack({
  name: 'autonomy',
  area: 'Work',
  summary: 'heartbeats and external triggers: agents that act without being asked',
  requires: ['agents', 'jobs', 'models', 'runs', 'sessions'],
  settings: AutonomySettings,
  services: {
    heartbeatStore: createHeartbeatStore,
    beatStore: createBeatStore,
    heartbeatService: createHeartbeatService,
    runStarts: createRunStarts,
    beatService: createBeatService,
    triggerService: createTriggerService
  },
  routes: autonomyRoutes,
  contributes: {
    'archives.part': [{ order: 60, make: heartbeatPart }],
    'jobs.worker': [
      {
        key: 'autonomy.beat',
        make: ({ beatService }) => ({ work: (data) => beatService.due(data as never), concurrency: 8 })
      },
      {
        key: 'autonomy.start',
        make: ({ beatService }) => ({
          work: (data) => beatService.start(data as never),
          concurrency: 8,
          retries: 20
        })
      },
      {
        key: 'autonomy.clean-up',
        make: ({ beatService }) => ({ work: beatService.removeOld, cron: '23 3 * * *' })
      }
    ]
  },
  on: {
    'runs.completed': { batch: ({ runStarts }) => runStarts.runsEnded('completed') },
    'runs.failed': { batch: ({ runStarts }) => runStarts.runsEnded('failed') },
    'runs.cancelled': { batch: ({ runStarts }) => runStarts.runsEnded('cancelled') },
    'sessions.deleted': ({ heartbeatService }) => heartbeatService.sessionDeleted,
    'agents.deleted': ({ heartbeatService }) => heartbeatService.agentDeleted
  },
  cascade: { 'agents.deleted': { beat: 'agentId' } }
})
