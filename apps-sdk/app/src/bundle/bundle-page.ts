import { readFile } from 'node:fs/promises'
import { dirname, extname, join } from 'node:path'
import type { Bundled } from './bundle-module.ts'
import { bundleModule } from './bundle-module.ts'

/** `<script … src="./main.ts"></script>`, `<link rel="stylesheet" href="./main.css">`, `<img … src="./logo.png"` */
const SCRIPT = /<script\b[^>]*?\bsrc="(\.[^"]+)"[^>]*>\s*<\/script>/gi
const STYLE = /<link\b(?=[^>]*\brel="stylesheet")[^>]*?\bhref="(\.[^"]+)"[^>]*>/gi
const IMAGE = /(<img\b[^>]*?\bsrc=")(\.[^"]+)(")/gi

const TYPES: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.svg': 'image/svg+xml'
}

/** A page as one document: its frame has no address from which it could get more. */
export async function bundlePage(base: string, entry: string): Promise<Bundled> {
  const path = join(base, entry)
  const sources = [path]
  const at = (name: string) => join(dirname(path), name)
  const bundled = async (name: string) => {
    const { text, sources: more } = await bundleModule(at(name), 'page')
    sources.push(...more)
    return text
  }
  let html = await readFile(path, 'utf8')
  html = await replaced(html, SCRIPT, async ([, name = '']) => {
    // The bundler writes no `</script`. Behind a `<!--` in a text HTML would not find the element's end.
    const text = (await bundled(name)).replaceAll('<!--', '\\x3c!--')
    return `<script type="module">${text}</script>`
  })
  html = await replaced(html, STYLE, async ([, name = '']) => {
    const text = (await bundled(name)).replace(/<(?=\/style)/gi, '\\3c ')
    return `<style>${text}</style>`
  })
  html = await replaced(html, IMAGE, async ([, before = '', name = '', after = '']) => {
    const type = TYPES[extname(name).toLowerCase()]
    if (!type) throw new Error(`${entry} shows ${name}, which is no picture of a known kind`)
    sources.push(at(name))
    return `${before}data:${type};base64,${(await readFile(at(name))).toString('base64')}${after}`
  })
  return { text: html, sources }
}

async function replaced(
  text: string,
  pattern: RegExp,
  by: (match: RegExpMatchArray) => Promise<string>
): Promise<string> {
  const matches = [...text.matchAll(pattern)]
  const texts = await Promise.all(matches.map(by))
  let nth = 0
  return text.replace(pattern, () => texts[nth++] ?? '')
}
