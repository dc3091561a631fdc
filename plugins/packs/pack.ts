import { definePack } from 'agent-platform'
import { packRoutes } from './routes.ts'

/** The packs themselves: what is on, since when, with which settings, and why something is not. */
export default definePack({
  name: 'packs',
  area: 'Platform',
  summary: 'enable, disable, configure, reload and remove packs',
  routes: packRoutes
})
