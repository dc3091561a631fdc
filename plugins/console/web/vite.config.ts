import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import react from '@vitejs/plugin-react'
import type { Plugin } from 'vite'
import { defineConfig } from 'vite'
// biome-ignore lint/style/noRestrictedImports: the build is no pack, and tells the kernel of what it was made.
import { pageDigest } from '../../../kernel/packs/loader/page-digest.ts'

const folder = import.meta.dirname

/** Beside each asset what its transfer costs nothing to compress. */
function compressed(): Plugin {
  return {
    name: 'compressed',
    apply: 'build',
    async writeBundle({ dir }) {
      const assets = join(dir as string, 'assets')
      const write = async (name: string) => {
        const text = await readFile(join(assets, name))
        const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }
        await Promise.all([
          promisify(brotliCompress)(text, quality).then((it) => writeFile(join(assets, `${name}.br`), it)),
          promisify(gzip)(text, { level: 9 }).then((it) => writeFile(join(assets, `${name}.gz`), it))
        ])
      }
      const names = await readdir(assets)
      await Promise.all(names.filter((name) => /\.(?:js|css|svg)$/.test(name)).map(write))
    }
  }
}

/** Of which pages it is made, for those who look later whether they are still the same: in the application, and beside it. */
async function digestsOfPages(): Promise<Readonly<Record<string, string>>> {
  const packs = join(folder, '../..')
  const digests: Record<string, string> = {}
  for (const name of (await readdir(packs)).sort()) {
    const digest = await pageDigest(join(packs, name))
    if (digest !== null) digests[name] = digest
  }
  return digests
}

function noted(): Plugin {
  let digests: Readonly<Record<string, string>> = {}
  return {
    name: 'noted',
    async config() {
      digests = await digestsOfPages()
      return { define: { BUILT_PAGES: JSON.stringify(digests) } }
    },
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'pages.json', source: JSON.stringify(digests) })
    }
  }
}

export default defineConfig({
  root: folder,
  // Below whatever path the platform is reached by: the document's <base> says it.
  base: './',
  plugins: [react(), noted(), compressed()],
  build: {
    outDir: join(folder, '../dist'),
    emptyOutDir: true,
    target: 'es2023',
    // `light-dark()` is left as it is: what it is lowered to does not know the scheme that Mantine sets.
    cssTarget: ['chrome125', 'edge125', 'firefox128', 'safari18'],
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 700
  }
})
