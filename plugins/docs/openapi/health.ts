import { header } from './headers.ts'
import type { Json } from './route.ts'

const boolean = { type: 'boolean' }

const operation = (operationId: string, summary: string, properties: Json, statuses: Json): Json => {
  const data = { type: 'object', required: Object.keys(properties), properties }
  const schema = { type: 'object', required: ['data'], properties: { data } }
  const content = { 'application/json': { schema } }
  const reply = ([status, description]: [string, unknown]) => [
    status,
    { description, headers: { 'x-request-id': header('RequestId') }, content }
  ]
  return {
    get: {
      operationId,
      tags: ['health'],
      summary,
      security: [],
      responses: Object.fromEntries(Object.entries(statuses).map(reply))
    }
  }
}

/** The kernel's own routes, which no pack mounts; they ask for nothing, and answer without a database. */
export const healthPaths: Json = {
  '/health': operation(
    'getHealth',
    'Liveness',
    {
      status: { type: 'string', const: 'ok' },
      version: { type: ['string', 'null'], description: 'null for callers on other machines' },
      packs: {
        type: ['object', 'null'],
        description: 'null for callers on other machines',
        properties: {
          up: { type: 'array', items: { type: 'string' } },
          failed: { type: 'array', items: { type: 'string' } }
        }
      }
    },
    { 200: 'The process serves' }
  ),
  '/health/ready': operation(
    'getHealthReady',
    'Readiness to take requests',
    { ready: boolean, database: boolean, migrations: boolean, storage: boolean, draining: boolean },
    { 200: 'Ready', 503: 'Not ready' }
  )
}
