// Loaded by `node --import`, so that worker threads and forked processes resolve like the process itself.
import { readFileSync } from 'node:fs'
import type { ResolveFnOutput, ResolveHookContext } from 'node:module'
import { createRequire, isBuiltin, registerHooks } from 'node:module'
import { resolve as absolute } from 'node:path'
import { pathToFileURL } from 'node:url'

type Next = (specifier: string, context?: Partial<ResolveHookContext>) => ResolveFnOutput

const platform = new URL('../../package.json', import.meta.url).href
const versionShape = /\/[a-z][a-z0-9-]*@[0-9a-f]{16}(?=\/)/g

interface Version {
  /** URL of the copied folder, ending with a slash. */
  readonly folder: string
  /** URL of a file in the pack's original folder. */
  readonly origin: string
}

/**
 * Resolves what packs import. `agent-platform` is this installation's contract, from wherever it is asked for.
 * Inside a copied version of a pack a relative import stays in that copy, and an npm package is looked for as
 * if the file still lay in the pack's original folder, then in the platform's own dependencies.
 */
registerHooks({
  resolve(specifier, context, next) {
    if (specifier === 'agent-platform' || specifier.startsWith('agent-platform/'))
      return next(specifier, { ...context, parentURL: platform })
    const parent = context.parentURL
    const version = parent?.startsWith('file:') ? versionOf(parent) : undefined
    if (!parent || !version) return next(specifier, context)
    if (specifier.startsWith('.')) return inside(version, specifier, parent, context, next)
    return isPackage(specifier)
      ? installed(version, specifier, parent, context, next)
      : next(specifier, context)
  }
})
anchorExecArgv()

/** The version of a pack that a module belongs to. Asks the disk each time: the original folder may move. */
function versionOf(url: string): Version | undefined {
  for (const { index, 0: part } of url.matchAll(versionShape)) {
    const folder = `${url.slice(0, index)}${part}/`
    try {
      return { folder, origin: readFileSync(new URL('.origin', folder), 'utf8') }
    } catch (error) {
      if (!isCode(error, 'ENOENT') && !isCode(error, 'ENOTDIR')) throw error
    }
  }
  return undefined
}

const isPackage = (specifier: string) =>
  !/^[#/]/.test(specifier) && !isBuiltin(specifier) && !URL.canParse(specifier)

function inside(
  version: Version,
  specifier: string,
  parent: string,
  context: ResolveHookContext,
  next: Next
) {
  if (new URL(specifier, parent).href.startsWith(version.folder)) return next(specifier, context)
  throw notFound(`'${specifier}' lies outside of the pack's folder, imported from ${parent}`)
}

function installed(
  version: Version,
  specifier: string,
  parent: string,
  context: ResolveHookContext,
  next: Next
) {
  for (const parentURL of [version.origin, platform]) {
    try {
      if (context.conditions.includes('require')) return required(specifier, parentURL)
      return next(specifier, { ...context, parentURL })
    } catch (error) {
      if (!isCode(error, 'ERR_MODULE_NOT_FOUND') && !isCode(error, 'MODULE_NOT_FOUND')) throw error
    }
  }
  throw notFound(`Cannot find package '${specifier}' imported from ${parent}`)
}

/** `require` takes no other parent from a hook, so it is asked anew from there. */
const required = (specifier: string, parentURL: string): ResolveFnOutput => ({
  url: pathToFileURL(createRequire(parentURL).resolve(specifier)).href,
  shortCircuit: true
})

const notFound = (message: string) => Object.assign(new Error(message), { code: 'ERR_MODULE_NOT_FOUND' })

const isCode = (error: unknown, code: string) =>
  error instanceof Error && 'code' in error && error.code === code

/** Makes this file's own `--import` absolute: a forked process may be given another working directory. */
function anchorExecArgv() {
  process.execArgv.forEach((argument, index) => {
    const path = argument.replace(/^--import=/, '')
    if (!path.startsWith('.') || pathToFileURL(absolute(path)).href !== import.meta.url) return
    process.execArgv[index] = argument.slice(0, argument.length - path.length) + import.meta.url
  })
}
