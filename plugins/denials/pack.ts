import { definePack } from 'agent-platform'
import type {} from '../jobs/contract.ts'
import { createRecorder } from './recorder.ts'
import { denialRoutes } from './routes.ts'
import { createDenialService } from './service.ts'
import { DenialSettings } from './settings.ts'

/** Denials: why a request was answered with 403, for whom it concerns. */
export default definePack({
  name: 'denials',
  area: 'Platform',
  summary: 'explanations of 403 responses, for the owner of the resource',
  requires: ['jobs'],
  settings: DenialSettings,
  services: { recorder: createRecorder, denialService: createDenialService },
  routes: denialRoutes,
  contributes: {
    'jobs.worker': [
      {
        key: 'denials.clean-up',
        make: ({ denialService }) => ({ work: denialService.removeOld, cron: '23 3 * * *' })
      }
    ]
  },
  resume: async ({ recorder }) => recorder.begin(),
  stop: async ({ recorder }) => recorder.end()
})
