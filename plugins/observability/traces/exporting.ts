import type { Fact, Kernel, Trx } from 'agent-platform'
import type { Jobs } from '../../jobs/contract.ts'
import type { ObservabilitySettings } from '../settings.ts'
import { createOtlp } from './otlp.ts'
import type { TraceService } from './service.ts'

export type TraceExporting = ReturnType<typeof createTraceExporting>

interface Deps extends Pick<Kernel, 'platform'> {
  settings: ObservabilitySettings
  jobs: Jobs
  traceService: TraceService
}
interface Sent {
  readonly project: string
  readonly runIds: readonly string[]
}

export const EXPORT_QUEUE = 'observability.export'

/** Traces of runs that have ended, sent to a collector where the deployment names one. */
export function createTraceExporting({ platform, settings, jobs, traceService }: Deps) {
  const { otlpUrl: url, otlpHeaders: headers } = settings
  const otlp = url === '' ? undefined : createOtlp({ url, headers, version: platform.version })

  /** Sent soon, and again while the collector does not take them: those that were there already have the same ids. */
  async function ended(facts: readonly Fact<{ runId: string }>[], trx: Trx): Promise<void> {
    if (!otlp) return
    for (const [project, of] of Map.groupBy(facts, (fact) => fact.project)) {
      const runIds = of.map(({ data }) => data.runId)
      await jobs.send(EXPORT_QUEUE, { project, runIds } satisfies Sent, { trx })
    }
  }

  async function work(data: unknown): Promise<void> {
    const { project, runIds } = data as Sent
    const traces = await traceService.read(project, runIds, new Map())
    if (traces.length > 0) await otlp?.export(traces)
  }

  return { ended, work, close: async () => otlp?.close() }
}
