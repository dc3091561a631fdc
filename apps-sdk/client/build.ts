// Compiles the package as it is published: `npm run build -w apps-sdk/client`, then `npm publish apps-sdk/client/dist`.
import { execFile } from 'node:child_process'
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'

const here = import.meta.dirname
/** Also good, and for Node 20, which version 4 no longer names. */
const older: Readonly<Record<string, string>> = { 'eventsource-parser': '^3.1.1' }
const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc')

/** Writes the package into that folder, and nothing else is left in it. */
export async function buildPackage(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  await promisify(execFile)(process.execPath, [tsc, '-p', here, '--outDir', folder]).catch(({ stdout }) => {
    throw new Error(stdout)
  })
  await copyFile(join(here, 'README.md'), join(folder, 'README.md'))
  await copyFile(join(here, '../../LICENSE'), join(folder, 'LICENSE'))
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(await manifest(), null, 2)}\n`)
}

/** In the repository the package is its sources, and private so that those are not published by mistake. */
async function manifest(): Promise<object> {
  const own = JSON.parse(await readFile(join(here, 'package.json'), 'utf8'))
  const { name, version, description, license, keywords, type, engines } = own
  const dependencies = Object.entries<string>(own.dependencies).map(([name, pinned]) => [
    name,
    [older[name], `^${pinned}`].filter(Boolean).join(' || ')
  ])
  return {
    name,
    version,
    description,
    license,
    keywords,
    type,
    engines,
    sideEffects: false,
    exports: { '.': { types: './index.d.ts', default: './index.js' }, './package.json': './package.json' },
    files: ['*.js', '*.d.ts'],
    dependencies: Object.fromEntries(dependencies)
  }
}

if (import.meta.main) await buildPackage(join(here, 'dist'))
