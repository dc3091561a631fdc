import { runInNewContext, Script } from 'node:vm'

/** What the template's files say where a new pack says its own. */
const TEMPLATE = /[Pp]aper[-_ ]?[Cc]lips?/g
const ARTICLE = /\ba (?=paper clip)/g

/** Plurals whose singular no rule tells. */
const irregular: Readonly<Record<string, string>> = {
  aliases: 'alias',
  buses: 'bus',
  caches: 'cache',
  canvases: 'canvas',
  children: 'child',
  cookies: 'cookie',
  movies: 'movie',
  people: 'person',
  series: 'series',
  statuses: 'status'
}

/**
 * What one row of a pack is called: `notes` → `note`, `categories` → `category`, `boxes` → `box`,
 * `meeting-notes` → `meeting-note`. What is no plural stays as it is.
 */
export function singular(name: string): string {
  const [last = '', ...before] = name.split('-').reverse()
  const known = irregular[last]
  const noun =
    known ??
    (/(ss|us|is)$/.test(last)
      ? last
      : last
          .replace(/ies$/, 'ys')
          .replace(/(ss|x|ch|sh)es$/, '$1s')
          .replace(/s$/, ''))
  return [...before.reverse(), noun].join('-')
}

/** Turns the template's text into that of a pack: in code, in SQL, in paths and in prose. */
export function createWording(name: string) {
  const noun = singular(name)
  const article = /^[aeio]/.test(noun) ? 'an ' : 'a '
  const written = (found: string) => {
    const words = (found.endsWith('s') ? name : noun).split('-')
    const separator = /[-_ ]/.exec(found)?.[0]
    const isCapital = found.startsWith('P')
    if (separator) return isCapital ? capital(words.join(separator)) : words.join(separator)
    return words.map((word, at) => (at > 0 || isCapital ? capital(word) : word)).join('')
  }
  const write = (text: string) => text.replaceAll(ARTICLE, article).replaceAll(TEMPLATE, written)
  return { write, noun: write('paperClip'), shape: write('PaperClip') }
}
export type Wording = ReturnType<typeof createWording>

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)

/** Whether JavaScript has the word for itself, as a keyword or as the name of what is built in. */
export function isOfTheLanguage({ noun, shape }: Wording): boolean {
  try {
    new Script(`'use strict'; async () => { let ${noun} }`)
    return runInNewContext(`'${shape}' in globalThis`)
  } catch {
    return true
  }
}

/** A name of the pack's own that its code would have for something else too, if there is one. */
export function clashIn(code: string, { write }: Wording): string | undefined {
  const bare = code.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*|'[^']*'|`[^`]*`/g, '')
  const names = new Set(bare.match(/[A-Za-z_]\w*/g))
  return [...names]
    .filter((name) => write(name) !== name)
    .map(write)
    .find((made) => names.has(made))
}
