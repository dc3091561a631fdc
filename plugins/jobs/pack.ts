import { definePack } from 'agent-platform'
import { createDispatcher } from './services/dispatcher.ts'
import { createJobService } from './services/jobs.ts'
import { createScheduleService } from './services/schedules.ts'
import { createWaitService } from './services/waits.ts'
import { JobSettings } from './settings.ts'
import { createJobStore } from './stores/jobs.ts'
import { createScheduleStore } from './stores/schedules.ts'
import { createWaitStore } from './stores/waits.ts'

/** Jobs: queues, delays, schedules and workers for packs that come and go, and waits that survive everything. */
export default definePack({
  name: 'jobs',
  area: 'Platform',
  summary: 'job queues, delays and schedules for other packs, and durable waits',
  settings: JobSettings,
  services: {
    jobStore: createJobStore,
    scheduleStore: createScheduleStore,
    dispatcher: createDispatcher,
    jobService: createJobService,
    scheduleService: createScheduleService,
    waitStore: createWaitStore,
    waitService: createWaitService
  },
  exports: ({ jobService, scheduleService, waitService }) => ({
    send: jobService.send,
    schedules: scheduleService.schedules,
    waits: waitService.waits
  }),
  contributes: {
    'jobs.worker': [
      { key: 'jobs.deadline', make: ({ waitService }) => waitService.deadline },
      { key: 'jobs.overdue', make: ({ waitService }) => waitService.overdue },
      { key: 'jobs.beat', make: ({ scheduleService }) => scheduleService.beat },
      { key: 'jobs.clock', make: ({ scheduleService }) => scheduleService.clock },
      { key: 'jobs.cleanup', make: ({ waitService }) => waitService.cleanup }
    ]
  },
  steps: { deliver: ({ dispatcher }) => dispatcher.deliver },
  start: ({ dispatcher }) => dispatcher.open(),
  async resume({ dispatcher, waitService }) {
    await dispatcher.runtime().align()
    await waitService.resume()
  }
})
