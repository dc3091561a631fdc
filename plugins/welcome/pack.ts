import { definePack } from 'agent-platform'
import { createWelcome } from './service.ts'

/** Welcome: a ready-made agent for the developer of this machine, and how to talk to it. */
export default definePack({
  name: 'welcome',
  area: 'Platform',
  summary: 'a ready-made agent for newcomers, and how to talk to it',
  requires: ['agents', 'models'],
  services: { welcome: createWelcome },
  contributes: { 'platform.greeting': [{ order: 50, make: ({ welcome }) => welcome }] }
})
