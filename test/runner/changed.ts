import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from '../../kernel/deployment.ts'
import type { TestFile } from './files.ts'

/** Paths that differ from the branch `main` of the remote `origin`, or from the last commit if there is none. */
export function changedFiles(): readonly string[] {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean)
  const [base = 'HEAD'] = git('for-each-ref', '--format=%(refname)', 'refs/remotes/origin/main')
  const [fork = 'HEAD'] = git('merge-base', 'HEAD', base)
  return [
    ...new Set([...git('diff', '--name-only', fork), ...git('ls-files', '--others', '--exclude-standard')])
  ]
}

/** Files that a test reads, but that no module imports: every test may depend on them. */
const isGlobal = (path: string) => /^(package(-lock)?\.json|tsconfig\.json|\.taprc)$/.test(path)
const packOf = (path: string): string | undefined => /^plugins\/([^/]+)\//.exec(path)?.[1]

/**
 * The tests that a change can affect: those that import a changed module, directly or indirectly, and those of packs that
 * require a changed pack, directly or indirectly.
 *
 * @param changed paths from the root of the repository; a path that no longer exists counts too
 */
export function select(files: readonly TestFile[], changed: readonly string[]): readonly TestFile[] {
  if (changed.some(isGlobal)) return files.filter(({ tier }) => tier === 'main')
  const modules = reach(changed, importers(sources()))
  const packs = reach(
    changed.flatMap((path) => packOf(path) ?? []),
    dependents()
  )
  return files.filter(({ path }) => modules.has(path) || packs.has(packOf(path) ?? ''))
}

/** Everything that is reached from some names by the edges of a graph, with these names. */
function reach(from: readonly string[], edges: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const reached = new Set(from)
  for (const name of reached) for (const next of edges.get(name) ?? []) reached.add(next)
  return reached
}

/** Content by path of each TypeScript file. */
function sources(): ReadonlyMap<string, string> {
  const paths = globSync('**/*.{ts,tsx}', {
    cwd: root,
    exclude: ['**/node_modules/**', '**/dist/**', '.*/**']
  })
  return new Map(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]))
}

/** For each module the modules that import it by a relative path. */
function importers(texts: ReadonlyMap<string, string>): ReadonlyMap<string, readonly string[]> {
  const edges = new Map<string, string[]>()
  for (const [path, text] of texts)
    for (const [, specifier = ''] of text.matchAll(/(?:from|import\(|import) ?'(\.[^']+)'/g)) {
      const target = join(dirname(path), specifier)
      edges.set(target, [...(edges.get(target) ?? []), path])
    }
  return edges
}

/** For each pack the packs that require it. */
function dependents(): ReadonlyMap<string, readonly string[]> {
  const edges = new Map<string, string[]>()
  for (const path of globSync('plugins/*/pack.ts', { cwd: root })) {
    const name = packOf(path) ?? ''
    const [, list = ''] = /^ {2}requires: \[([^\]]*)\]/m.exec(readFileSync(join(root, path), 'utf8')) ?? []
    for (const [, required = ''] of list.matchAll(/'([^']+)'/g))
      edges.set(required, [...(edges.get(required) ?? []), name])
  }
  return edges
}
