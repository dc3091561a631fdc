import type { Fact, Trx } from 'agent-platform'
import { definePack } from 'agent-platform'
import type {} from '../agents/contract.ts'
import type {} from '../credits/contract.ts'
import type {} from '../jobs/contract.ts'
import type {} from '../models/contract.ts'
import type {} from '../runs/contract.ts'
import type {} from '../sessions/contract.ts'
import type {} from '../tools/contract.ts'
import { activityFacts } from './activity/facts.ts'
import type { ActivityRecorder } from './activity/recorder.ts'
import { createActivityRecorder } from './activity/recorder.ts'
import { createActivityService } from './activity/service.ts'
import { auditFacts } from './audit/facts.ts'
import type { AuditService } from './audit/service.ts'
import { createAuditService } from './audit/service.ts'
import { createRemovals } from './removals.ts'
import { activityRoutes } from './routes/activity.ts'
import { auditRoutes } from './routes/audit.ts'
import { traceRoutes } from './routes/traces.ts'
import { usageRoutes } from './routes/usage.ts'
import { ObservabilitySettings } from './settings.ts'
import { createAuditStore } from './stores/audit.ts'
import { createEventStore } from './stores/events.ts'
import { createUsageStore } from './stores/usage.ts'
import type { TraceExporting } from './traces/exporting.ts'
import { createTraceExporting, EXPORT_QUEUE } from './traces/exporting.ts'
import { createTraceService } from './traces/service.ts'
import type { UsageRecorder } from './usage/recorder.ts'
import { createUsageRecorder } from './usage/recorder.ts'
import { createUsageService } from './usage/service.ts'

interface Recording {
  usageRecorder: UsageRecorder
  activityRecorder: ActivityRecorder
  auditService: AuditService
  traceExporting: TraceExporting
}

const ended = {
  batch:
    ({ usageRecorder, activityRecorder, traceExporting }: Recording): UsageRecorder['runsEnded'] =>
    async (facts, trx) => {
      await usageRecorder.runsEnded(facts, trx)
      await activityRecorder.record(facts, trx)
      await traceExporting.ended(facts, trx)
    }
}
const called = {
  batch:
    ({ usageRecorder, activityRecorder }: Recording): UsageRecorder['toolsCalled'] =>
    async (facts, trx) => {
      await usageRecorder.toolsCalled(facts, trx)
      await activityRecorder.record(facts, trx)
    }
}
const [active, audited] = [new Set<string>(activityFacts), new Set<string>(auditFacts)]
/** The others are kept alike, whatever they say. */
const others = Object.fromEntries(
  [...active.union(audited)].map((name) => [
    name,
    {
      batch:
        ({ activityRecorder, auditService }: Recording) =>
        async (facts: Fact[], trx: Trx) => {
          if (active.has(name)) await activityRecorder.record(facts, trx)
          if (audited.has(name)) await auditService.record(facts, trx)
        }
    }
  ])
) as object

/** Observability: what was used, done and how long it took. */
export default definePack({
  name: 'observability',
  area: 'Observability',
  summary: 'usage and cost, live activity, run traces and the audit log',
  requires: ['agents', 'runs', 'sessions', 'jobs'],
  uses: ['credits'],
  settings: ObservabilitySettings,
  services: {
    usageStore: createUsageStore,
    eventStore: createEventStore,
    auditStore: createAuditStore,
    auditService: createAuditService,
    usageRecorder: createUsageRecorder,
    usageService: createUsageService,
    activityRecorder: createActivityRecorder,
    activityService: createActivityService,
    traceService: createTraceService,
    traceExporting: createTraceExporting,
    removals: createRemovals
  },
  routes(app, deps) {
    usageRoutes(app, deps)
    activityRoutes(app, deps)
    traceRoutes(app, deps)
    auditRoutes(app, deps)
  },
  on: {
    ...others,
    'runs.completed': ended,
    'runs.failed': ended,
    'runs.cancelled': ended,
    'tools.called': called,
    'models.asked': { batch: ({ usageRecorder }) => usageRecorder.modelsAsked }
  },
  contributes: {
    'jobs.worker': [
      { key: EXPORT_QUEUE, make: ({ traceExporting }) => ({ work: traceExporting.work, retries: 20 }) },
      {
        key: 'observability.audit',
        make: ({ auditService }) => ({ work: auditService.work, cron: '* * * * *' })
      },
      { key: 'observability.clean-up', make: ({ removals }) => ({ work: removals.work, cron: '41 3 * * *' }) }
    ]
  },
  stop: ({ traceExporting }) => traceExporting.close()
})
