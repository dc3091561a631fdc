// Loaded by `node --import`, so that worker threads and forked processes resolve like the process itself.
import { readFileSync } from 'node:fs'
import { createRequire, isBuiltin, registerHooks } from 'node:module'
import { pathToFileURL } from 'node:url'

const platform = new URL('../../../package.json', import.meta.url).href

/**
 * Resolves what packs import. `agent-platform` is this installation's contract, from wherever it is asked for.
 * Inside a copied version of a pack an npm package is looked for as if the file still lay in the pack's
 * original folder, then in the platform's own dependencies.
 */
registerHooks({
  resolve(specifier, context, next) {
    if (/^agent-platform(\/|$)/.test(specifier)) return next(specifier, { ...context, parentURL: platform })
    const importer = context.parentURL
    const origin = isPackage(specifier) ? originOf(importer) : undefined
    if (!origin) return next(specifier, context)
    for (const parentURL of [origin, platform])
      try {
        // `require` takes no other parent from a hook, so it is asked anew from there.
        if (!context.conditions.includes('require')) return next(specifier, { ...context, parentURL })
        return { url: pathToFileURL(createRequire(parentURL).resolve(specifier)).href, shortCircuit: true }
      } catch (error) {
        if (!/^(ERR_)?MODULE_NOT_FOUND$/.test(codeOf(error))) throw error
      }
    const message = `Cannot find package '${specifier}' imported from ${importer}`
    throw Object.assign(new Error(message), { code: 'ERR_MODULE_NOT_FOUND' })
  }
})

const isPackage = (specifier: string) =>
  !/^[.#/]/.test(specifier) && !isBuiltin(specifier) && !URL.canParse(specifier)

/** Where the version of a pack that a module belongs to was copied from; as that may move, the disk is asked. */
function originOf(url = ''): string | undefined {
  const version = /^file:.*\/[a-z][a-z0-9-]*@[0-9a-f]{16}\//.exec(url)?.[0]
  try {
    return version && readFileSync(new URL('.origin', version), 'utf8')
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
  }
}

const codeOf = (error: unknown) => String((error as NodeJS.ErrnoException).code)

// A forked process may be given another working directory.
process.execArgv = process.execArgv.map((argument) =>
  argument.replace(/^(--import=)?\.{1,2}\/.*loader\/modules\.ts$/, `$1${import.meta.url}`)
)
