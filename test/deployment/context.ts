import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../kernel/deployment.ts'

interface Rule {
  readonly matches: RegExp
  readonly keeps: boolean
}

/** A path matches a pattern itself or by a folder above it; the last rule that matches decides. */
function readRules(): readonly Rule[] {
  const lines = readFileSync(join(root, '.dockerignore'), 'utf8').split('\n')
  return lines
    .map((line) => line.trim())
    .filter((line) => line && !line.startsWith('#'))
    .map((line) => {
      const keeps = line.startsWith('!')
      const pattern = (keeps ? line.slice(1) : line)
        .replace(/[.+^${}()|[\]\\]/g, '\\$&')
        .replace(
          /\*\*\/|\*\*|\*|\?/g,
          (wild) => ({ '**/': '(?:.*/)?', '**': '.*', '*': '[^/]*', '?': '[^/]' })[wild] ?? ''
        )
      return { keeps, matches: new RegExp(`^${pattern}(?:/.*)?$`) }
    })
}

/** Whether a build gets to see a file, by its relative path. */
export const isKept = (path: string, rules = readRules()): boolean =>
  rules.findLast(({ matches }) => matches.test(path))?.keeps ?? true

/** The files of the checkout that a build gets to see, by their relative paths. */
export function filesOfContext(): readonly string[] {
  const rules = readRules()
  const files: string[] = []
  const walk = (below: string) => {
    for (const entry of readdirSync(join(root, below), { withFileTypes: true })) {
      const path = below + entry.name
      // Below these nothing is let in again; to look there would take long.
      if (entry.name === 'node_modules' || entry.name === '.git') continue
      if (entry.isDirectory()) walk(`${path}/`)
      else if (isKept(path, rules)) files.push(path)
    }
  }
  walk('')
  return files
}
