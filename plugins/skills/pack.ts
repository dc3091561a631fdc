import { definePack } from 'agent-platform'
import type {} from '../archives/contract.ts'
import type {} from '../runs/contract.ts'
import type {} from '../sessions/contract.ts'
import { createSkillContext } from './acting/context.ts'
import { createSkillTools } from './acting/tools.ts'
import { listCapability, readCapability } from './capabilities.ts'
import { attachmentRoutes } from './routes/attachments.ts'
import { skillRoutes } from './routes/skills.ts'
import { createArchivePart } from './services/archive-part.ts'
import { createAttachmentService } from './services/attachments.ts'
import { createGivenSkills } from './services/given-skills.ts'
import { createImportService } from './services/imports.ts'
import { createSkillService } from './services/skills.ts'
import { SkillSettings } from './settings.ts'
import { createAttachmentStore } from './stores/attachments.ts'
import { createFileStore } from './stores/files.ts'
import { createSkillStore } from './stores/skills.ts'
import { createVersionStore } from './stores/versions.ts'

/** Skills: what agents know how to do. */
export default definePack({
  name: 'skills',
  area: 'Knowledge',
  summary: 'instructions and files that agents load on demand (Agent Skills format)',
  requires: ['agents'],
  settings: SkillSettings,
  services: {
    skillStore: createSkillStore,
    versionStore: createVersionStore,
    fileStore: createFileStore,
    attachmentStore: createAttachmentStore,
    givenSkills: createGivenSkills,
    skillService: createSkillService,
    importService: createImportService,
    attachmentService: createAttachmentService,
    skillContext: createSkillContext,
    skillTools: createSkillTools,
    archivePart: createArchivePart
  },
  exports: ({ givenSkills }) => ({ givenTo: givenSkills.of }),
  routes(app, deps) {
    skillRoutes(app, deps)
    attachmentRoutes(app, deps)
  },
  cascade: {
    'agents.deleted': { attachment: 'agentId', loaded: 'agentId' },
    'sessions.deleted': { loaded: 'sessionId' }
  },
  contributes: {
    'archives.part': [{ make: ({ archivePart }) => archivePart }],
    'ui-plugins.capability': [
      { key: 'skills.list', make: listCapability },
      { key: 'skills.read', make: readCapability }
    ],
    'runs.context': [{ make: ({ skillContext }) => skillContext }],
    'runs.tools': [{ make: ({ skillTools }) => skillTools }]
  },
  stop: async ({ givenSkills }) => givenSkills.close()
})
