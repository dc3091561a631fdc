import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'

/** What code asks for, as far as it says so in so many words. */
export interface Uses {
  readonly capabilities: ReadonlySet<string>
  readonly hosts: ReadonlySet<string>
  readonly storage: ReadonlySet<string>
}

const PLATFORM = /\bplatform((?:\??\.[A-Za-z_$][\w$]*|\["[^"]+"\])+)\(/g
const ASKED = /\b(?:call|ask)\("([a-z][a-z0-9-]*(?:\.[A-Za-z]\w*)+)"/g
const STORAGE = /\bstorage\.([a-zA-Z]+)\(/g
const FETCHED = /\bfetch\([`"]https:\/\/([^/"`$?#]+)[/"`?#]/g
const FREE = /^(?:storage|functions|console)\./

/** Looks at the author's own sources, without what they import of packages. */
export async function usesOf(sources: readonly string[]): Promise<Uses> {
  const { transform } = await import('esbuild')
  const [capabilities, hosts, storage] = [new Set<string>(), new Set<string>(), new Set<string>()]
  const own = sources.filter((path) => /\.[cm]?[jt]sx?$/.test(path) && !path.includes('node_modules'))
  for (const path of own) {
    const loader = /^\.[cm]?tsx?$/.test(extname(path)) ? 'tsx' : 'jsx'
    // Without comments and types, and always with the same quotes and spaces.
    const { code } = await transform(await readFile(path, 'utf8'), { loader, minifyWhitespace: true })
    for (const [, names = ''] of code.matchAll(PLATFORM)) capabilities.add(dotted(names))
    for (const [, name = ''] of code.matchAll(ASKED)) if (!FREE.test(name)) capabilities.add(name)
    for (const [, name = ''] of code.matchAll(STORAGE)) storage.add(name)
    for (const [, host = ''] of code.matchAll(FETCHED)) hosts.add(host)
  }
  return { capabilities, hosts, storage }
}

/** `.agents?.read`, `["made-later"].count`: names with dots between. */
const dotted = (names: string) =>
  [...names.matchAll(/\.([A-Za-z_$][\w$]*)|\["([^"]+)"\]/g)].map(([, a, b]) => a ?? b).join('.')
