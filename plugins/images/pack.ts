import { definePack } from 'agent-platform'
import type {} from './contract.ts'
import { createDrawingProvider } from './provider.ts'
import { imageRoutes } from './routes.ts'
import { createImageService } from './service.ts'
import { ImageSettings } from './settings.ts'

/** Images: pictures that are made for agents, and kept. */
export default definePack({
  name: 'images',
  area: 'Agents',
  summary: 'image generation for agents, stored in the library; avatars also without a provider',
  requires: ['agents', 'files', 'models'],
  settings: ImageSettings,
  services: { imageService: createImageService },
  routes: imageRoutes,
  contributes: { 'models.provider': [{ key: 'drawing', order: 1_100, make: createDrawingProvider }] }
})
