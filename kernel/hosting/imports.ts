import { homedir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { LoadFault } from './fault.ts'

const platform = new URL('../../', import.meta.url).href

/**
 * Imports a file of a folder. Whatever it throws becomes a LoadFault with file and line where they are known,
 * and so does an import that has not settled after `timeout` milliseconds.
 */
export async function importFile(
  folder: string,
  file: string,
  timeout = 10_000
): Promise<Readonly<Record<string, unknown>>> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    reject(new LoadFault('import', `${file} was still being imported after ${timeout / 1000} s`))
  }, timeout)
  try {
    return await Promise.race([import(pathToFileURL(join(folder, file)).href), late])
  } catch (error) {
    throw error instanceof LoadFault ? error : importFault(error, folder)
  } finally {
    clearTimeout(timer)
  }
}

/** Paths become relative to the folder or to the platform; of any other file of this machine its name is left. */
function importFault(thrown: unknown, folder: string): LoadFault {
  const { message, stack = '' } =
    thrown instanceof Error ? thrown : new Error(String(thrown), { cause: thrown })
  const place = thrown instanceof Error ? placeIn(pathToFileURL(join(folder, '/')).href, stack) : undefined
  const said = withoutPaths(message.replaceAll(/\s+/g, ' '), [
    pathToFileURL(join(folder, '/')).href,
    platform
  ])
  const hint = said.includes("package 'agent-platform'")
    ? '; node was started without --import ./kernel/hosting/modules.ts'
    : ''
  return new LoadFault('import', `${place ? `${place}: ` : ''}${said}${hint}`, thrown)
}

/** The first `file:line` of a stack that lies in the folder. */
function placeIn(folder: string, stack: string): string | undefined {
  const at = stack.split(folder)[1]
  return at === undefined ? undefined : /^[^\s()]+?:\d+/.exec(at)?.[0]
}

function withoutPaths(text: string, known: readonly string[]): string {
  return known
    .flatMap((url) => [url, fileURLToPath(url)])
    .concat('file://')
    .reduce((rest, prefix) => rest.replaceAll(prefix, ''), text)
    .replaceAll(/(?<![\w.])(?:\/|[A-Za-z]:\\)[^\s'"`()]+/g, (path) => (isFile(path) ? basename(path) : path))
}

/** Tells a file of this machine from the path of a route. */
const isFile = (path: string) => path.startsWith(homedir()) || /^[A-Za-z]:\\|\.\w+(:\d+)*$/.test(path)
