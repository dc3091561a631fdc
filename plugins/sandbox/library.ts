import { readFile } from 'node:fs/promises'

/** The standard library of programs as one script, which `library.test.ts` makes of `guest/`. */
export const readLibrary = (): Promise<string> =>
  readFile(new URL('./guest/library.generated.js', import.meta.url), 'utf8')
