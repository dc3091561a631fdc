import { readFileSync } from 'node:fs'
import type { MemoryEnd } from './orders.ts'

/** Of the control group that a container is in, as it sees it itself: by version 2, and by version 1. */
const FILES = ['/sys/fs/cgroup/memory.current', '/sys/fs/cgroup/memory/memory.usage_in_bytes']

/** What all that runs beside it takes of memory, and itself. */
export function measureMemory(): MemoryEnd {
  for (const file of FILES)
    try {
      return { bytes: Number(readFileSync(file, 'latin1')) }
    } catch {
      // Of another version, or there is none.
    }
  return { bytes: null }
}
