import type { App } from 'agent-platform'
import { ifMatch } from 'agent-platform'
import {
  createKey,
  deleteKey,
  listKeys,
  readKey,
  rotateKey,
  testKey,
  updateKeyMetadata
} from '../schemas/keys.ts'
import { listMappings, mapKey, unmapKey } from '../schemas/mappings.ts'
import type { KeyService } from '../services/keys.ts'
import type { MappingService } from '../services/mappings.ts'

const config = { limit: 'sensitive' } as const

interface Deps {
  keyService: KeyService
  mappingService: MappingService
}

export function keyRoutes(app: App, { keyService, mappingService }: Deps) {
  app.post(
    '/tool-keys',
    { schema: createKey, config: { ...config, principals: ['user', 'service'] } },
    async ({ principal, body }, reply) => {
      const key = await keyService.create(principal, body)
      return reply.code(201).send({ data: key })
    }
  )

  app.get('/tool-keys', { schema: listKeys }, ({ principal, query }) => keyService.list(principal, query))

  app.get('/tool-keys/:keyId', { schema: readKey }, async ({ principal, params }) => {
    return { data: await keyService.read(principal, params.keyId) }
  })

  app.put('/tool-keys/:keyId/metadata', { schema: updateKeyMetadata, config }, async (request) => {
    const { principal, params, body } = request
    return { data: await keyService.update(principal, params.keyId, body, ifMatch(request)) }
  })

  app.put('/tool-keys/:keyId/value', { schema: rotateKey, config }, async (request) => {
    const { principal, params, body } = request
    return { data: await keyService.rotate(principal, params.keyId, body.value, ifMatch(request)) }
  })

  app.post(
    '/tool-keys/:keyId/test',
    { schema: testKey, config: { ...config, failures: ['upstream', 'upstreamTimeout'] } },
    async ({ principal, params, body }) => {
      return { data: await keyService.test(principal, params.keyId, body) }
    }
  )

  app.delete('/tool-keys/:keyId', { schema: deleteKey, config }, async (request) => {
    const { principal, params } = request
    const mappings = await keyService.remove(principal, params.keyId, ifMatch(request))
    return { data: { id: params.keyId, deleted: true as const, mappings } }
  })

  app.post('/tool-keys/map', { schema: mapKey, config }, async ({ principal, body }, reply) => {
    const mapping = await mappingService.map(principal, body)
    return reply.code(201).send({ data: mapping })
  })

  app.get('/tool-keys/map', { schema: listMappings }, ({ principal, query }) =>
    mappingService.list(principal, query)
  )

  app.delete('/tool-keys/map/:mappingId', { schema: unmapKey, config }, async ({ principal, params }) => {
    await mappingService.unmap(principal, params.mappingId)
    return { data: { id: params.mappingId, deleted: true as const } }
  })
}
