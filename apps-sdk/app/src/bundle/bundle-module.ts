import { resolve } from 'node:path'

export interface Bundled {
  readonly text: string
  /** Absolute paths. */
  readonly sources: readonly string[]
}

/**
 * One ES module with all that it imports, for the sandbox (`server`) or for a page, or one style sheet. What cannot be put in, such
 * as a module of Node, is an error of the bundler.
 */
export async function bundleModule(entry: string, kind: 'server' | 'page'): Promise<Bundled> {
  // It is for those who make apps: nothing else that this package does needs it.
  const { build } = await import('esbuild')
  const { outputFiles, metafile } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: kind === 'page' ? 'browser' : 'neutral',
    mainFields: kind === 'page' ? ['browser', 'module', 'main'] : ['module', 'main'],
    target: 'es2023',
    outdir: 'out',
    minifyIdentifiers: kind === 'page',
    minifySyntax: true,
    minifyWhitespace: true,
    charset: 'utf8',
    legalComments: 'none',
    loader: Object.fromEntries(
      ['png', 'jpg', 'jpeg', 'gif', 'webp', 'svg', 'woff2'].map((ending) => [`.${ending}`, 'dataurl'])
    ),
    logLevel: 'silent'
  })
  const [file] = outputFiles
  if (!file) throw new Error(`esbuild made nothing of ${entry}`)
  return { text: file.text, sources: Object.keys(metafile.inputs).map((path) => resolve(path)) }
}
