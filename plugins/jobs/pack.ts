import { definePack } from 'agent-platform'
import { createDutyService } from './services/duty.ts'
import { createJobService } from './services/jobs.ts'
import { createWaitService } from './services/waits.ts'
import { JobSettings } from './settings.ts'
import { createJobStore } from './stores/jobs.ts'
import { createWaitStore } from './stores/waits.ts'

/** Jobs: queues, delays, schedules and workers for packs that come and go, and waits that survive everything. */
export default definePack({
  name: 'jobs',
  area: 'Platform',
  summary: 'queues, delays and schedules for other packs, and what waits for an answer',
  settings: JobSettings,
  services: {
    jobStore: createJobStore,
    dutyService: createDutyService,
    jobService: createJobService,
    waitStore: createWaitStore,
    waitService: createWaitService
  },
  exports: ({ jobService, waitService }) => ({ send: jobService.send, waits: waitService.waits }),
  contributes: {
    'jobs.worker': [
      { key: 'jobs.deadline', make: ({ waitService }) => waitService.deadline },
      { key: 'jobs.overdue', make: ({ waitService }) => waitService.overdue },
      { key: 'jobs.cleanup', make: ({ waitService }) => waitService.cleanup }
    ]
  },
  steps: { deliver: ({ dutyService }) => dutyService.deliver },
  start: ({ dutyService }) => dutyService.open(),
  async resume({ dutyService, waitService }) {
    await dutyService.desk().align()
    await waitService.resume()
  }
})
