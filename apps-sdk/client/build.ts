import { join } from 'node:path'
import { buildPackage } from '../build.ts'

/** Also good, and for Node 20, which version 4 no longer names. */
const older = { 'eventsource-parser': '^3.1.1' }

/** Writes the package into that folder, and nothing else is left in it. */
export const buildClient = (folder: string): Promise<void> =>
  buildPackage(import.meta.dirname, folder, { older })

if (import.meta.main) await buildClient(join(import.meta.dirname, 'dist'))
