import type { App, Reply } from 'agent-platform'
import type { UsageItem, UsageReport } from '../schemas/usage.ts'
import { readAgentUsage, readSessionUsage, readUsage } from '../schemas/usage.ts'
import type { UsageService } from '../usage/service.ts'

const config = { scope: ['usage:read'] } as const

export function usageRoutes(app: App, { usageService }: { usageService: UsageService }) {
  app.get('/usage/agents/:agentId', { schema: readAgentUsage, config }, async (request, reply) => {
    const { principal, params, query, headers } = request
    return answer(
      reply as Reply,
      headers.accept,
      await usageService.ofAgent(principal, params.agentId, query)
    )
  })

  app.get('/usage/sessions/:sessionId', { schema: readSessionUsage, config }, async (request, reply) => {
    const { principal, params, query, headers } = request
    const report = await usageService.ofSession(principal, params.sessionId, query)
    return answer(reply as Reply, headers.accept, report)
  })

  app.get('/usage', { schema: readUsage, config }, async ({ principal, query, headers }, reply) =>
    answer(reply as Reply, headers.accept, await usageService.ofAll(principal, query))
  )
}

const names = [
  'start',
  'agentId',
  'sessionId',
  'modelProvider',
  'modelId',
  'toolName',
  'modelCalls',
  'toolCalls',
  'toolErrors',
  'inputTokens',
  'cachedTokens',
  'outputTokens',
  'cost',
  'unpricedModelCalls',
  'estimatedModelCalls'
] as const satisfies readonly (keyof UsageItem)[]

function answer(reply: Reply, accept: string | undefined, report: UsageReport) {
  reply.header('vary', 'accept')
  const [first] = (accept ?? '').split(',')
  if (!/^\s*text\/csv\b/i.test(first ?? '')) return reply.type('application/json').send({ data: report })
  const lines = report.items.map((item) => names.map((name) => cell(item[name])).join(','))
  return reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', 'attachment; filename="usage.csv"')
    .send(`${[names.join(','), ...lines].join('\r\n')}\r\n`)
}

/** A spreadsheet must not take what a model or a tool is called for a formula. */
function cell(value: string | number | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
