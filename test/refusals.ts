import type { Test } from 'tap'
import { run } from './gateway/process.ts'

export type Env = Readonly<Record<string, string>>

/** Nothing answers there: what is wrong is told before it is asked. */
export const AWAY = 'postgres://127.0.0.1:1/x'
export const NOBODY = 65_534
export const isRoot = process.getuid?.() === 0

/** What the platform says when it does not start: one line on standard error, and exit code 1. */
export async function refusal(t: Test, env: Env, options?: Parameters<typeof run>[2]): Promise<string> {
  const it = await run(t, env, options)
  const code = await it.exited
  const said = it
    .output()
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('{'))
  if (code !== 1 || said.length !== 1) throw new Error(`It ended with ${code}: ${it.output()}`)
  return said[0] as string
}

/** All at once, since most of the time they load. */
export async function refusals(
  t: Test,
  cases: readonly [Env, RegExp][],
  options?: Parameters<typeof run>[2]
) {
  const all = cases.map(async ([env, wanted]) => t.match(await refusal(t, env, options), wanted))
  await Promise.all(all)
}
