import type { Manifest } from 'agent-platform-app/manifest'

/** A small app that works, as it is registered. */
export function appOf(manifest: Partial<Manifest> = {}, files: Record<string, object> = {}) {
  return {
    manifest: {
      manifestVersion: 1,
      id: 'weather-desk',
      name: 'Weather desk',
      version: '1.0.0',
      description: 'Tells what the weather will be',
      server: { entry: 'server.js' },
      capabilities: [
        { name: 'agents.read', reason: 'Shows the name of the agent that asked' },
        { name: 'agents.list', reason: 'Offers your agents to choose from' }
      ],
      egress: [{ host: '*.weather.example', reason: 'Forecasts' }],
      connections: [],
      functions: [
        {
          name: 'forecast',
          title: 'Forecast',
          description: 'The weather of the coming days',
          input: { type: 'object', properties: { place: { type: 'string' } }, additionalProperties: false },
          tool: true
        }
      ],
      pages: [{ name: 'main', title: 'Weather', entry: 'pages/main.html' }],
      ...manifest
    },
    files: {
      'server.js': { text: 'export const functions = { forecast: () => ({ sunny: true }) }\n' },
      'pages/main.html': { text: '<!doctype html><title>Weather</title><p>Sunny' },
      ...files
    }
  }
}
