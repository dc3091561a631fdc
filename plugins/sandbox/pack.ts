import { definePack } from 'agent-platform'
import { sandboxMetrics } from './metrics.ts'
import { createSandboxService } from './service.ts'
import { SandboxSettings } from './settings.ts'

/** Programs of strangers, in isolates of processes of their own. */
export default definePack({
  name: 'sandbox',
  area: 'Apps',
  summary: 'untrusted code, run in isolates of sandboxed processes',
  settings: SandboxSettings,
  services: { sandboxService: createSandboxService },
  exports: ({ sandboxService }) => sandboxService,
  contributes: { 'metrics.source': [{ make: sandboxMetrics }] },
  start: ({ sandboxService }) => sandboxService.open()
})
