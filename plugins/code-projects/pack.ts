import { definePack } from 'agent-platform'
import type {} from '../agents/contract.ts'
import type {} from '../archives/contract.ts'
import type {} from '../computers/contract.ts'
import type {} from '../files/contract.ts'
import type {} from '../jobs/contract.ts'
import type {} from '../outgoing/contract.ts'
import type {} from '../storage/contract.ts'
import type {} from '../tools/contract.ts'
import { createProjectTools } from './acting/tools.ts'
import { createBuilder } from './builds/builder.ts'
import { createBuilding } from './builds/building.ts'
import { createEndings } from './builds/endings.ts'
import { buildRoutes } from './builds/routes.ts'
import { createBuildService } from './builds/service.ts'
import { createBuildStore } from './builds/store.ts'
import { createVerifying } from './builds/verifying.ts'
import { exportRoutes } from './exporting/routes.ts'
import { createExportService } from './exporting/service.ts'
import { pushRoutes } from './git/routes.ts'
import { createPushService } from './git/service.ts'
import { createAddresses } from './previews/addresses.ts'
import { createContents } from './previews/contents.ts'
import { previewRoutes } from './previews/routes.ts'
import { createSites } from './previews/sites.ts'
import { createArchivePart } from './projects/archive-part.ts'
import { createFileService } from './projects/files.ts'
import { createIntake } from './projects/intake.ts'
import { createQuota } from './projects/quota.ts'
import { projectRoutes } from './projects/routes.ts'
import { createProjectService } from './projects/service.ts'
import { createFileStore } from './projects/store.ts'
import { publicationRoutes } from './publications/routes.ts'
import { createPublicationService } from './publications/service.ts'
import { createPublicationStore } from './publications/store.ts'
import { CodeProjectSettings } from './settings.ts'

/** Code projects: what agents build, and the previews by which people look at it. */
export default definePack({
  name: 'code-projects',
  area: 'Agents',
  summary: 'websites and apps that agents write, build on their computers and publish',
  requires: ['agents', 'jobs', 'outgoing', 'storage'],
  uses: ['computers', 'files', 'tools'],
  settings: CodeProjectSettings,
  services: {
    fileStore: createFileStore,
    publicationStore: createPublicationStore,
    buildStore: createBuildStore,
    addresses: createAddresses,
    sites: createSites,
    contents: createContents,
    quota: createQuota,
    intake: createIntake,
    projectService: createProjectService,
    fileService: createFileService,
    publicationService: createPublicationService,
    endings: createEndings,
    building: createBuilding,
    verifying: createVerifying,
    builder: createBuilder,
    buildService: createBuildService,
    exportService: createExportService,
    pushService: createPushService,
    projectTools: createProjectTools
  },
  routes(app, deps) {
    projectRoutes(app, deps)
    buildRoutes(app, deps)
    publicationRoutes(app, deps)
    exportRoutes(app, deps)
    pushRoutes(app, deps)
    previewRoutes(app, deps)
  },
  contributes: {
    'archives.part': [{ make: createArchivePart }],
    'tools.static': [
      { key: 'project_write', make: ({ projectTools }) => projectTools.staticTool('project_write') },
      { key: 'project_read', make: ({ projectTools }) => projectTools.staticTool('project_read') },
      { key: 'project_verify', make: ({ projectTools }) => projectTools.staticTool('project_verify') },
      { key: 'project_publish', make: ({ projectTools }) => projectTools.staticTool('project_publish') }
    ],
    'jobs.worker': [{ key: 'code-projects.build', make: ({ builder }) => builder.worker }]
  },
  cascade: { 'agents.deleted': { codeproject: ({ projectService }) => projectService.removeOfAgent } },
  start: ({ builder }) => builder.open(),
  async resume({ builder, sites }) {
    builder.listen()
    sites.listen()
  },
  async stop({ builder, sites }) {
    builder.deafen()
    sites.deafen()
  }
})
