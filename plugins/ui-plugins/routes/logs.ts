import type { App } from 'agent-platform'
import type { AppLog } from '../logs/app-log.ts'
import { listLogs, listUsage } from '../schemas/logs.ts'

export function logRoutes(app: App, { appLog }: { appLog: AppLog }) {
  app.get('/ui-plugins/:pluginId/logs', { schema: listLogs }, ({ principal, params, query }) =>
    appLog.list(principal, params.pluginId, query)
  )

  app.get('/ui-plugins/:pluginId/usage', { schema: listUsage }, ({ principal, params, query }) =>
    appLog.listUsage(principal, params.pluginId, query)
  )
}
