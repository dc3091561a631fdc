import type { UntrustedDocument } from '../contract.ts'
import { createExtractionService } from '../service.ts'

export const ada = { project: 'default', owner: 'ada' }

/** The service with a process of its own, without a platform around it. */
export function extraction(t: { teardown(work: () => unknown): unknown }, settings: object = {}) {
  const service = createExtractionService({
    points: { all: () => [], one: () => Promise.reject(new Error('none')), choose: async () => undefined },
    settings: {
      maxBytes: 67_108_864,
      maxCharacters: 4_000_000,
      maxPages: 1_000,
      maxPixels: 50_000_000,
      seconds: 20,
      memoryMegabytes: 1_024,
      processes: 1,
      ...settings
    }
  })
  t.teardown(() => service.close())
  return service
}

export const document = (
  name: string,
  content: string | Uint8Array,
  mediaType = 'application/octet-stream'
): UntrustedDocument => ({
  name,
  mediaType,
  content: typeof content === 'string' ? Buffer.from(content) : content
})
