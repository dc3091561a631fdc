import { definePack } from 'agent-platform'
import { createHttpKind } from './kinds/http.ts'
import { assignmentRoutes } from './routes/assignments.ts'
import { callRoutes } from './routes/calls.ts'
import { keyRoutes } from './routes/keys.ts'
import { permissionRoutes } from './routes/permissions.ts'
import { toolRoutes } from './routes/tools.ts'
import { createAccess } from './services/access.ts'
import { createAdoption } from './services/adoption.ts'
import { createArguments } from './services/arguments.ts'
import { createAssignmentService } from './services/assignments.ts'
import { createCallService } from './services/calls.ts'
import { createCatalogue } from './services/catalogue.ts'
import { createCheckService } from './services/checks.ts'
import { createInvocations } from './services/invocations.ts'
import { createKeyService } from './services/keys.ts'
import { createMappingService } from './services/mappings.ts'
import { createPermissionService } from './services/permissions.ts'
import { createSource } from './services/source.ts'
import { createSubjectService } from './services/subjects.ts'
import { createToolService } from './services/tools.ts'
import { createTransferService } from './services/transfers.ts'
import { ToolSettings } from './settings.ts'
import { createAccessStore } from './stores/access.ts'
import { createAssignmentStore } from './stores/assignments.ts'
import { createCallStore } from './stores/calls.ts'
import { createKeyStore } from './stores/keys.ts'
import { createMappingStore } from './stores/mappings.ts'
import { createPermissionStore } from './stores/permissions.ts'
import { createToolStore } from './stores/tools.ts'

/** Tools: what agents can do, who may use it, with whose credentials, and how it is called. */
export default definePack({
  name: 'tools',
  area: 'Tools',
  summary: 'what agents can do: tools, their credentials, who may use them, and every call',
  requires: ['agents', 'outgoing', 'runs'],
  settings: ToolSettings,
  services: {
    toolStore: createToolStore,
    toolService: createToolService,
    arguments: createArguments,
    adoption: createAdoption,
    httpKind: createHttpKind,
    keyStore: createKeyStore,
    keyService: createKeyService,
    mappingStore: createMappingStore,
    mappingService: createMappingService,
    accessStore: createAccessStore,
    access: createAccess,
    assignmentStore: createAssignmentStore,
    permissionStore: createPermissionStore,
    assignmentService: createAssignmentService,
    subjectService: createSubjectService,
    permissionService: createPermissionService,
    checkService: createCheckService,
    transferService: createTransferService,
    callStore: createCallStore,
    callService: createCallService,
    catalogue: createCatalogue,
    invocations: createInvocations,
    source: createSource
  },
  exports: ({ invocations, access, adoption, keyService }) => ({
    ...invocations,
    usable: access.usable,
    ...adoption,
    openKey: keyService.openKey
  }),
  routes(app, deps) {
    callRoutes(app, deps)
    toolRoutes(app, deps)
    keyRoutes(app, deps)
    assignmentRoutes(app, deps)
    permissionRoutes(app, deps)
  },
  contributes: {
    'tools.kind': [{ key: 'http', make: ({ httpKind }) => httpKind }],
    'runs.tools': [{ make: ({ source }) => source }],
    'agents.belongings': [
      { make: ({ callStore }) => ({ remove: callStore.removeOfAgent }) },
      { make: ({ assignmentStore }) => ({ remove: assignmentStore.removeOfAgent }) },
      { make: ({ permissionStore }) => ({ remove: permissionStore.removeOfAgent }) }
    ],
    'jobs.worker': [
      { key: 'tools.sweep', make: ({ callService }) => ({ work: callService.sweep, cron: '*/10 * * * *' }) }
    ]
  }
})
