// Loaded by `node --import`: kills this process just before its STOP_AT-th step, which is a query or a change of a
// file; with STOP=issued just after it was begun, of those steps alone whose outcome is then open. At the end it says
// how many steps there were.
import type promises from 'node:fs/promises'
import { createRequire, syncBuiltinESMExports } from 'node:module'
import pg from 'pg'

const files = createRequire(import.meta.url)('node:fs/promises') as typeof promises
const { STOP_AT = 'never', STOP = 'before' } = process.env
let steps = 0

function stopping<T extends object>(target: T, name: keyof T & string): void {
  const original = target[name] as (...args: unknown[]) => unknown
  const step = function (this: unknown, ...args: unknown[]) {
    const counts = STOP === 'before' || name === 'rename' || /^(commit|update)/i.test(textOf(args[0]))
    if (counts) steps++
    const isLast = counts && steps === Number(STOP_AT)
    if (isLast && STOP === 'before') process.kill(process.pid, 'SIGKILL')
    const result = original.apply(this, args)
    if (isLast) process.kill(process.pid, 'SIGKILL')
    return result
  }
  Object.assign(target, { [name]: step })
}

function textOf(query: unknown): string {
  return String((query as { text?: unknown }).text ?? query)
}

stopping(pg.Client.prototype, 'query')
for (const name of ['writeFile', 'rename', 'rm', 'open', 'link'] as const) stopping(files, name)
syncBuiltinESMExports()
process.on('exit', () => process.stdout.write(`${steps} steps\n`))
