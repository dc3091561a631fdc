import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { checkDefinition } from '../definition/check-definition.ts'
import type { AppDefinition } from '../definition/define-app.ts'
import { SERVER_ENTRY } from '../definition/manifest-draft.ts'
import type { Manifest, Problem } from '../manifest/manifest.ts'
import { checkFiles } from '../manifest/manifest.ts'
import { bundleModule } from './bundle-module.ts'
import { bundlePage } from './bundle-page.ts'

/** What one version of an app is made of. */
export interface LoadedApp {
  readonly definition: AppDefinition
  readonly manifest: Manifest
  /** Bytes by path, as they are registered. */
  readonly files: ReadonlyMap<string, Buffer>
  /** Sources that it was made of, as absolute paths. */
  readonly sources: readonly string[]
}

/** Where the code of an app is, and what it is relative to. */
const SOURCES = 'src'
const ENTRIES = ['app.ts', 'app.js', 'app.mts', 'app.mjs']

/** An app that is not as it has to be: `problems` has the places. */
export class AppProblems extends Error {
  override readonly name = 'AppProblems'
  readonly problems: readonly Problem[]

  constructor(problems: readonly Problem[]) {
    super(problems.map(({ pointer, message }) => `${pointer || '/'} ${message}`).join('\n'))
    this.problems = problems
  }
}

/**
 * Bundles the app in that folder: the module that `src/app.ts` is, and each page as one document. Runs the module, to learn what it
 * defines. Rejects with `AppProblems`, or with what the bundler says.
 */
export async function loadApp(folder: string): Promise<LoadedApp> {
  const base = resolve(folder, SOURCES)
  const entry = ENTRIES.map((name) => join(base, name)).find(existsSync)
  if (!entry)
    throw new AppProblems([
      { pointer: '', message: `is no app: there is no ${SOURCES}/${ENTRIES[0]} in ${folder}` }
    ])
  const server = await bundleModule(entry, 'server')
  const definition = await evaluate(server.text)
  refuse(checkDefinition(definition))
  // As it is registered: without what schemas have beside JSON.
  const manifest = JSON.parse(JSON.stringify(definition.manifest)) as Manifest
  const files = new Map<string, Buffer>()
  const sources = [...server.sources]
  if (manifest.server) files.set(SERVER_ENTRY, Buffer.from(server.text))
  for (const { entry } of manifest.pages) {
    if (!existsSync(join(base, entry))) continue
    const page = await bundlePage(base, entry)
    files.set(entry, Buffer.from(page.text))
    sources.push(...page.sources)
  }
  const { icon } = manifest
  if (icon !== undefined && existsSync(join(base, icon))) {
    files.set(icon, await readFile(join(base, icon)))
    sources.push(join(base, icon))
  }
  refuse(checkFiles(manifest, new Map([...files].map(([path, { length }]) => [path, length]))))
  return { definition, manifest, files, sources: [...new Set(sources)] }
}

async function evaluate(text: string): Promise<AppDefinition> {
  const url = `data:text/javascript;base64,${Buffer.from(text).toString('base64')}`
  const module = await import(url).catch((error) => {
    const message = `does not load: ${(error as Error).message}`
    throw new AppProblems([{ pointer: '', message }])
  })
  return module.default
}

function refuse(problems: readonly Problem[]): void {
  if (problems.length > 0) throw new AppProblems(problems)
}
