import type { Readable } from 'node:stream'
import { LRUCache } from 'lru-cache'
import type { ByteRange, Objects } from '../../storage/contract.ts'
import type { CodeProjectSettings } from '../settings.ts'
import type { Found } from './sites.ts'

export type Contents = ReturnType<typeof createContents>

/** Of a file that is kept in memory. */
const MOST_BYTES = 524_288

interface Deps {
  settings: CodeProjectSettings
  storage: Objects
}

/** Bytes of previews: small ones from memory. */
export function createContents({ settings, storage }: Deps) {
  const maxSize = Math.max(1, settings.cacheBytes)
  const kept = new LRUCache<string, Buffer>({ maxSize, sizeCalculation: ({ length }) => length + 1_024 })
  const reading = new Map<string, Promise<Buffer>>()

  function read({ sha256, size }: Found): Promise<Buffer> {
    const known = reading.get(sha256)
    if (known) return known
    const bytes = storage
      .read(sha256, size)
      .then((it) => {
        kept.set(sha256, it)
        return it
      })
      .finally(() => reading.delete(sha256))
    reading.set(sha256, bytes)
    return bytes
  }

  return {
    /** At once where they are in memory. */
    of(file: Found): Buffer | Promise<Buffer> | undefined {
      if (file.size > MOST_BYTES || file.size > maxSize) return undefined
      return kept.get(file.sha256) ?? read(file)
    },
    stream: ({ sha256 }: Found, range?: ByteRange): Promise<Readable> => storage.open(sha256, range)
  }
}
