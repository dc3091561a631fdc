import { definePack } from 'agent-platform'
import { ToolboxSettings } from './settings.ts'
import { createCalculator } from './tools/calculator.ts'
import { createCurrentTime } from './tools/current-time.ts'
import { createDelegate } from './tools/delegate.ts'
import { createHttpFetch } from './tools/http-fetch.ts'

/** Tools that every agent may need. */
export default definePack({
  name: 'toolbox',
  area: 'Tools',
  summary: 'built-in tools: web fetch, calculator, current time, delegation',
  requires: ['tools', 'outgoing', 'agents'],
  uses: ['runs'],
  settings: ToolboxSettings,
  services: {
    httpFetch: createHttpFetch,
    currentTime: createCurrentTime,
    calculator: createCalculator,
    delegate: createDelegate
  },
  contributes: {
    'tools.static': [
      { key: 'http_fetch', make: ({ httpFetch }) => httpFetch },
      { key: 'current_time', make: ({ currentTime }) => currentTime },
      { key: 'calculator', make: ({ calculator }) => calculator },
      { key: 'delegate', make: ({ delegate }) => delegate }
    ]
  }
})
