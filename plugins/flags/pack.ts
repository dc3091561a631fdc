import { definePack } from 'agent-platform'
import { flagRoutes } from './routes.ts'
import { createFlagService } from './service.ts'
import { FlagSettings } from './settings.ts'
import { createFlagStore } from './store.ts'

/** Flags: what is on for whom. */
export default definePack({
  name: 'flags',
  area: 'Platform',
  summary: 'feature flags, evaluated in process by the rules of OpenFeature’s flagd',
  settings: FlagSettings,
  services: { flagStore: createFlagStore, flagService: createFlagService },
  exports: ({ flagService }) => ({ evaluate: flagService.evaluate, value: flagService.value }),
  routes: flagRoutes,
  stop: async ({ flagService }) => flagService.stop()
})
