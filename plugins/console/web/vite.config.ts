import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import react from '@vitejs/plugin-react'
import type { Plugin } from 'vite'
import { defineConfig } from 'vite'

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

export default defineConfig({
  root: folder,
  // Below whatever path the platform is reached by: the document's <base> says it.
  base: './',
  plugins: [react(), compressed()],
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
