import { join } from 'node:path'
import { buildPackage } from '../build.ts'

/** Writes the package into that folder, and nothing else is left in it. */
export const buildApp = (folder: string): Promise<void> =>
  buildPackage(import.meta.dirname, folder, {
    assets: ['manifest.schema.json', 'src/page/page.css', 'src/template']
  })

if (import.meta.main) await buildApp(join(import.meta.dirname, 'dist'))
