import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../kernel/deployment.ts'

export const unitPath = join(root, 'deploy/agent-platform.service')

/** The unit's settings by section; a key that is given twice has both values. */
export function readUnit(): Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> {
  const sections: Record<string, Record<string, string[]>> = {}
  let section: Record<string, string[]> = {}
  for (const line of readFileSync(unitPath, 'utf8').split('\n')) {
    const [, name] = /^\[(\w+)\]$/.exec(line) ?? []
    const [, key, value = ''] = /^(\w+)=(.*)$/.exec(line) ?? []
    if (name) section = sections[name] ??= {}
    else if (key) (section[key] ??= []).push(value)
    else if (line && !line.startsWith('#')) throw new Error(`Neither a section nor a setting: ${line}`)
  }
  return sections
}
