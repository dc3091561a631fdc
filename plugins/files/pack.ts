import multipart from '@fastify/multipart'
import { definePack } from 'agent-platform'
import { fileRoutes } from './routes/files.ts'
import { createFileService } from './services/files.ts'
import { createUploads } from './services/uploads.ts'
import { FileSettings } from './settings.ts'
import { createFileStore } from './store.ts'

/** Files: what people and agents upload, and what is made for them. */
export default definePack({
  name: 'files',
  area: 'Files and library',
  summary: 'what people and agents upload, stored once and never run',
  requires: ['storage', 'jobs'],
  settings: FileSettings,
  services: { fileStore: createFileStore, uploads: createUploads, fileService: createFileService },
  exports: ({ fileService }) => fileService,
  plugins: (app) => void app.register(multipart, { throwFileSizeLimit: false }),
  routes: fileRoutes,
  contributes: {
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
