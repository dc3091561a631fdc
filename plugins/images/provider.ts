import type { ImageModelV4 } from '@ai-sdk/provider'
import type { ModelProvider } from '../models/contract.ts'
import { drawAvatar } from './drawing.ts'

export const DRAWING = 'drawing'
const info = { modelId: 'avatar', name: 'Avatars, drawn by rules from the words' }
const MOST = 4

/** What is always there: it draws, and understands nothing. */
export function createDrawingProvider(): ModelProvider {
  const model: ImageModelV4 = {
    specificationVersion: 'v4',
    provider: DRAWING,
    modelId: info.modelId,
    maxImagesPerCall: MOST,
    async doGenerate({ prompt = '', n, size = '512x512' }) {
      const side = Math.min(...size.split('x').map(Number))
      const numbers = Array.from({ length: n }, (_, number) => number)
      const images = await Promise.all(numbers.map((number) => drawAvatar(prompt, number, side)))
      return {
        images,
        warnings: [],
        response: { timestamp: new Date(), modelId: info.modelId, headers: undefined }
      }
    }
  }
  return {
    name: 'Built-in drawing',
    isLocal: true,
    configured: async () => true,
    media: { image: { list: async () => [info], model: async () => ({ ...info, model }) } }
  }
}
