// Compiles a package of this folder as it is published: `npm run build -w apps-sdk/client`, then `npm publish apps-sdk/client/dist`.
import { execFile } from 'node:child_process'
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'

const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc')

export interface BuildOptions {
  /** Versions of dependencies that are also good. */
  readonly older?: Readonly<Record<string, string>>
  /** Files and folders beside `src` that belong to it. */
  readonly assets?: readonly string[]
}

/** Writes the package of that folder into another one, in which nothing else is left. */
export async function buildPackage(
  source: string,
  folder: string,
  options: BuildOptions = {}
): Promise<void> {
  const { assets = [] } = options
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  await promisify(execFile)(process.execPath, [tsc, '-p', source, '--outDir', folder]).catch(({ stdout }) => {
    throw new Error(stdout)
  })
  for (const name of ['README.md', ...assets])
    await cp(join(source, name), join(folder, builtPath(name)), { recursive: true })
  await cp(join(source, '../../LICENSE'), join(folder, 'LICENSE'))
  const own = JSON.parse(await readFile(join(source, 'package.json'), 'utf8'))
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(published(own, options), null, 2)}\n`)
}

interface Own {
  readonly exports: Readonly<Record<string, string>>
  readonly bin?: Readonly<Record<string, string>>
  readonly dependencies: Readonly<Record<string, string>>
  readonly [field: string]: unknown
}

/** In the repository a package is its sources, and private so that those are not published by mistake. */
function published(own: Own, { older = {}, assets = [] }: BuildOptions): object {
  const { name, version, description, license, keywords, type, engines } = own
  const dependencies = Object.entries(own.dependencies).map(([name, pinned]) => [
    name,
    [older[name], `^${pinned}`].filter(Boolean).join(' || ')
  ])
  const exports = Object.entries(own.exports).map(([name, path]) => [name, entryOf(path)])
  const bin = Object.entries(own.bin ?? {}).map(([name, path]) => [name, built(path, '.js')])
  return {
    name,
    version,
    description,
    license,
    keywords,
    type,
    engines,
    sideEffects: false,
    exports: { ...Object.fromEntries(exports), './package.json': './package.json' },
    ...(bin.length > 0 && { bin: Object.fromEntries(bin) }),
    files: ['**/*.js', '**/*.d.ts', ...assets.map(builtPath)],
    dependencies: Object.fromEntries(dependencies)
  }
}

const builtPath = (path: string) => path.replace(/^(\.\/)?src\//, '$1')
const built = (path: string, ending: string) => builtPath(path).replace(/\.ts$/, ending)
const entryOf = (path: string) =>
  path.endsWith('.ts') ? { types: built(path, '.d.ts'), default: built(path, '.js') } : builtPath(path)
