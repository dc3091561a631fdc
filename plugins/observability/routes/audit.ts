import type { App } from 'agent-platform'
import type { AuditService } from '../audit/service.ts'
import { listAudit } from '../schemas/audit.ts'

const config = { scope: ['platform:admin'] } as const

export function auditRoutes(app: App, { auditService }: { auditService: AuditService }) {
  app.get('/audit', { schema: listAudit, config }, ({ query: { limit, cursor, ...only } }) =>
    auditService.list(only, { limit, cursor })
  )
}
