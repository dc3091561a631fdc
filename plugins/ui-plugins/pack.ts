import { definePack } from 'agent-platform'
import type {} from '../files/contract.ts'
import type {} from '../outgoing/contract.ts'
import type {} from '../sandbox/contract.ts'
import type {} from '../storage/contract.ts'
import type {} from '../tools/contract.ts'
import { createConnectionUses } from './connections/connection-uses.ts'
import { createConnections } from './connections/connections.ts'
import { createFunctionCalls } from './functions/function-calls.ts'
import { createPrograms, culpritOf } from './functions/programs.ts'
import { createCapabilityCalls } from './gateway/capability-calls.ts'
import { createFetchCalls } from './gateway/fetch-calls.ts'
import { createGateway } from './gateway/gateway.ts'
import { createMethodCalls } from './gateway/method-calls.ts'
import { createAppLog } from './logs/app-log.ts'
import { createMeter } from './logs/meter.ts'
import { appearanceRoutes } from './routes/appearance.ts'
import { appRoutes } from './routes/apps.ts'
import { connectionRoutes } from './routes/connections.ts'
import { gatewayRoutes } from './routes/gateway.ts'
import { layoutRoutes } from './routes/layout.ts'
import { logRoutes } from './routes/logs.ts'
import { pageRoutes } from './routes/pages.ts'
import { permissionRoutes } from './routes/permissions.ts'
import { createAppViews } from './services/app-views.ts'
import { createAppearance } from './services/appearance.ts'
import { createAppService } from './services/apps.ts'
import { createCatalogue } from './services/catalogue.ts'
import { createExamination } from './services/examination.ts'
import { createInstallations } from './services/installations.ts'
import { createLayouts } from './services/layouts.ts'
import { createPackages } from './services/packages.ts'
import { createPages } from './services/pages.ts'
import { createPermissions } from './services/permissions.ts'
import { createRegistration } from './services/registration.ts'
import { createRemoval } from './services/removal.ts'
import { UiPluginSettings } from './settings.ts'
import { createAppStore } from './stores/apps.ts'
import { createConnectionStore } from './stores/connections.ts'
import { createLayoutStore } from './stores/layouts.ts'
import { createLogStore } from './stores/logs.ts'
import { createUsageStore } from './stores/usage.ts'
import { createVersionStore } from './stores/versions.ts'

/** Third-party apps: what there is, what each asks for, and what it may do. */
export default definePack({
  name: 'ui-plugins',
  area: 'Apps',
  summary: 'third-party apps: versions, requested permissions and grants',
  requires: ['storage', 'files', 'outgoing'],
  uses: ['sandbox', 'tools'],
  settings: UiPluginSettings,
  services: {
    appStore: createAppStore,
    versionStore: createVersionStore,
    packages: createPackages,
    examination: createExamination,
    catalogue: createCatalogue,
    appViews: createAppViews,
    appService: createAppService,
    installations: createInstallations,
    appearance: createAppearance,
    permissions: createPermissions,
    layoutStore: createLayoutStore,
    layouts: createLayouts,
    pages: createPages,
    removal: createRemoval,
    registration: createRegistration,
    connectionStore: createConnectionStore,
    connections: createConnections,
    connectionUses: createConnectionUses,
    logStore: createLogStore,
    usageStore: createUsageStore,
    meter: createMeter,
    appLog: createAppLog,
    fetchCalls: createFetchCalls,
    capabilityCalls: createCapabilityCalls,
    methodCalls: createMethodCalls,
    programs: createPrograms,
    functionCalls: createFunctionCalls,
    gateway: createGateway
  },
  exports: ({ appService, installations, pages, gateway, sandbox }) => ({
    installation: installations.of,
    owned: appService.owned,
    usable: appService.listUsable,
    states: appService.states,
    installed: appService.listInstalled,
    page: pages.readText,
    callFunction: gateway.callFunction,
    health: (app) => sandbox?.health(culpritOf(app))
  }),
  routes(app, deps) {
    appRoutes(app, deps)
    permissionRoutes(app, deps)
    appearanceRoutes(app, deps)
    layoutRoutes(app, deps)
    pageRoutes(app, deps)
    gatewayRoutes(app, deps)
    connectionRoutes(app, deps)
    logRoutes(app, deps)
  },
  cascade: { 'ui-plugins.deleted': { app_log: 'appId' } },
  async stop({ installations, connections, connectionUses, meter, appLog }) {
    await Promise.all([appLog.close(), meter.close(), connectionUses.close()])
    installations.close()
    connections.close()
  }
})
