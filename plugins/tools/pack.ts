import { definePack } from 'agent-platform'
import type {} from '../archives/contract.ts'
import { invokeCapability, listCapability } from './capabilities.ts'
import { createHttpKind } from './kinds/http.ts'
import { createRedactor } from './redaction/redactor.ts'
import { assignmentRoutes } from './routes/assignments.ts'
import { callRoutes } from './routes/calls.ts'
import { keyRoutes } from './routes/keys.ts'
import { permissionRoutes } from './routes/permissions.ts'
import { toolRoutes } from './routes/tools.ts'
import { createArchivePart } from './services/archive-part.ts'
import { createAssignmentService } from './services/assignments.ts'
import { createAttempts } from './services/attempts.ts'
import { createAuthorization } from './services/authorization.ts'
import { createCallRecords } from './services/call-records.ts'
import { createCallService } from './services/calls.ts'
import { createConnectionCredentials } from './services/credentials.ts'
import { createInvocations } from './services/invocations.ts'
import { createKeyService } from './services/keys.ts'
import { createManagedTools } from './services/managed-tools.ts'
import { createMappingService } from './services/mappings.ts'
import { createPermissionQueries } from './services/permission-queries.ts'
import { createPermissionService } from './services/permissions.ts'
import { createRunTools } from './services/run-tools.ts'
import { createSubjectService } from './services/subjects.ts'
import { createToolResolver } from './services/tool-resolver.ts'
import { createToolService } from './services/tools.ts'
import { createTransferService } from './services/transfers.ts'
import { ToolSettings } from './settings.ts'
import { createAssignmentStore } from './stores/assignments.ts'
import { createAuthorizationStore } from './stores/authorization.ts'
import { createCallStore } from './stores/calls.ts'
import { createMappingStore } from './stores/mappings.ts'
import { createPermissionStore } from './stores/permissions.ts'
import { createToolStore } from './stores/tools.ts'

/** Tools: what agents can do, who may use it, with whose credentials, and how it is called. */
export default definePack({
  name: 'tools',
  area: 'Tools',
  summary: 'agent tools: HTTP tools, credentials, permissions, approvals and call records',
  requires: ['agents', 'outgoing', 'runs'],
  settings: ToolSettings,
  services: {
    toolStore: createToolStore,
    toolService: createToolService,
    managedTools: createManagedTools,
    httpKind: createHttpKind,
    connectionCredentials: createConnectionCredentials,
    keyService: createKeyService,
    mappingStore: createMappingStore,
    mappingService: createMappingService,
    authorizationStore: createAuthorizationStore,
    authorization: createAuthorization,
    assignmentStore: createAssignmentStore,
    permissionStore: createPermissionStore,
    assignmentService: createAssignmentService,
    subjectService: createSubjectService,
    permissionService: createPermissionService,
    permissionQueries: createPermissionQueries,
    transferService: createTransferService,
    callStore: createCallStore,
    callService: createCallService,
    toolResolver: createToolResolver,
    attempts: createAttempts,
    callRecords: createCallRecords,
    invocations: createInvocations,
    runTools: createRunTools,
    archivePart: createArchivePart
  },
  exports: ({
    invocations,
    assignmentService,
    authorization,
    managedTools,
    keyService,
    connectionCredentials
  }) => ({
    ...invocations,
    prepareAssignments: assignmentService.prepareAssignments,
    usable: authorization.usable,
    ...managedTools,
    openKey: keyService.openKey,
    ...connectionCredentials,
    redactor: createRedactor
  }),
  routes(app, deps) {
    callRoutes(app, deps)
    toolRoutes(app, deps)
    keyRoutes(app, deps)
    assignmentRoutes(app, deps)
    permissionRoutes(app, deps)
  },
  cascade: {
    'agents.deleted': {
      call: 'agentId',
      assignment: 'agentId',
      permission: ({ permissionStore }) => permissionStore.removeOfAgent
    }
  },
  contributes: {
    'archives.part': [{ make: ({ archivePart }) => archivePart }],
    'ui-plugins.capability': [
      { key: 'tools.list', make: listCapability },
      { key: 'tools.invoke', make: invokeCapability }
    ],
    'tools.kind': [{ key: 'http', make: ({ httpKind }) => httpKind }],
    'runs.tools': [{ make: ({ runTools }) => runTools }],
    'jobs.worker': [
      { key: 'tools.lost', make: ({ callService }) => ({ work: callService.settleLost, cron: '* * * * *' }) },
      { key: 'tools.old', make: ({ callService }) => ({ work: callService.removeOld, cron: '17 * * * *' }) }
    ]
  }
})
