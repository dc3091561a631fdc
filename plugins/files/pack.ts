import multipart from '@fastify/multipart'
import { definePack } from 'agent-platform'
import type {} from '../agents/contract.ts'
import type {} from '../archives/contract.ts'
import type {} from '../extraction/contract.ts'
import { readCapability, storeCapability } from './capabilities.ts'
import { avatarRoutes } from './routes/avatars.ts'
import { fileRoutes } from './routes/files.ts'
import { createArchivePart } from './services/archive-part.ts'
import { createAttachments } from './services/attachments.ts'
import { createAvatars } from './services/avatars.ts'
import { createFileService } from './services/files.ts'
import { createImages } from './services/images.ts'
import { createUploads } from './services/uploads.ts'
import { FileSettings } from './settings.ts'
import { createAvatarStore } from './stores/avatars.ts'
import { createFileStore } from './stores/files.ts'

/** Files: what people and agents upload, and what is made for them. */
export default definePack({
  name: 'files',
  area: 'Files and library',
  summary: 'file uploads, deduplicated and never executed',
  requires: ['agents', 'jobs', 'storage'],
  uses: ['extraction'],
  settings: FileSettings,
  services: {
    fileStore: createFileStore,
    avatarStore: createAvatarStore,
    uploads: createUploads,
    fileService: createFileService,
    avatars: createAvatars,
    images: createImages,
    attachments: createAttachments,
    archivePart: createArchivePart
  },
  exports: ({ fileService, images, avatars }) => ({
    ...fileService,
    picture: images.picture,
    setAvatar: avatars.set
  }),
  plugins: (app) => void app.register(multipart, { throwFileSizeLimit: false }),
  routes(app, deps) {
    fileRoutes(app, deps)
    avatarRoutes(app, deps)
  },
  cascade: { 'agents.deleted': { avatar: ({ avatars }) => avatars.removeOfAgent } },
  contributes: {
    'archives.part': [{ make: ({ archivePart }) => archivePart }],
    'ui-plugins.capability': [
      { key: 'files.read', make: readCapability },
      { key: 'files.store', make: storeCapability }
    ],
    'runs.request': [{ key: 'attachments', make: ({ attachments }) => attachments }],
    'jobs.worker': [
      {
        key: 'files.forget-uploads',
        make: ({ fileStore }) => ({
          work: async () => void (await fileStore.removeOldUploads()),
          cron: '41 * * * *'
        })
      }
    ]
  }
})
