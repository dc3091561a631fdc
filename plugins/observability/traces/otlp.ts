import type { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import type { Span, Trace } from '../schemas/traces.ts'

type Exported = Parameters<OTLPTraceExporter['export']>[0][number]
type Given = Pick<Exported, 'resource'>

/** Of `SpanKind` and `SpanStatusCode` of the API, as OTLP has them. */
const kinds = { internal: 0, server: 1, client: 2 } as const
const statuses = { unset: 0, ok: 1, error: 2 } as const

/** What is sent spans to a collector (OTLP over HTTP). The SDK is loaded with the first one: that takes time. */
export function createOtlp({ url, headers, version }: { url: string; headers: string; version: string }) {
  let opened: Promise<Given & { exporter: OTLPTraceExporter }> | undefined

  async function open() {
    const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http')
    const { resourceFromAttributes } = await import('@opentelemetry/resources')
    const attributes = { 'service.name': 'agent-platform', 'service.version': version }
    const exporter = new OTLPTraceExporter({ url, headers: headersOf(headers) })
    return { exporter, resource: resourceFromAttributes(attributes) }
  }

  return {
    /** Rejects where the collector does not take them. */
    async export(traces: readonly Trace[]): Promise<void> {
      const { exporter, resource } = await (opened ??= open())
      const spans = traces.flatMap(({ traceId, spans }) =>
        spans.map((it) => exported(it, traceId, { resource }))
      )
      await new Promise<void>((resolve, reject) => {
        exporter.export(spans, ({ code, error }) =>
          code === 0 ? resolve() : reject(error ?? new Error('The collector did not take the spans'))
        )
      })
    },
    async close(): Promise<void> {
      await (await opened)?.exporter.shutdown()
    }
  }
}

function exported(span: Span, traceId: string, { resource }: Given): Exported {
  const context = (spanId: string) => ({ traceId, spanId, traceFlags: 1 })
  const [begun, ended] = [timeOf(span.startedAt), timeOf(span.endedAt ?? span.startedAt)]
  return {
    name: span.name,
    kind: kinds[span.kind],
    spanContext: () => context(span.spanId),
    ...(span.parentSpanId !== null && { parentSpanContext: context(span.parentSpanId) }),
    startTime: begun,
    endTime: ended,
    duration: timeOfMs(span.milliseconds ?? 0),
    status: { code: statuses[span.status] },
    attributes: span.attributes,
    links: [],
    events: span.events.map(({ name, at, attributes }) => ({ name, time: timeOf(at), attributes })),
    ended: true,
    resource,
    instrumentationScope: { name: 'agent-platform' },
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0
  }
}

/** Seconds and nanoseconds. */
const timeOfMs = (ms: number): [number, number] => [Math.floor(ms / 1_000), Math.round((ms % 1_000) * 1e6)]
const timeOf = (at: string): [number, number] => timeOfMs(new Date(at).getTime())

/** As `OTEL_EXPORTER_OTLP_HEADERS` has them: `name=value,name=value`. */
function headersOf(text: string): Record<string, string> {
  const pairs = text.split(',').filter((it) => it.includes('='))
  return Object.fromEntries(
    pairs.map((pair) => {
      const [name = '', ...value] = pair.split('=')
      return [name.trim(), decodeURIComponent(value.join('=').trim())]
    })
  )
}
