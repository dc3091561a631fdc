import { pino } from 'pino'
import type { Test } from 'tap'
import { listen } from '../process/listening.ts'
import { readWholeConfiguration, refusalOf, startPlatform } from '../process/start.ts'
import { preparedDataDir } from './data-dir.ts'
import { run } from './http/process.ts'

export type Env = Readonly<Record<string, string>>

/** Nothing answers there: what is wrong is told before it is asked. */
export const AWAY = 'postgres://127.0.0.1:1/x'
export const NOBODY = 65_534
export const isRoot = process.getuid?.() === 0

const silent = pino({ level: 'silent' })

/** What the platform says when it does not start, in a process of its own: one line on standard error, and exit code 1. */
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

/** The same without a process, which takes a second of a processor to load: what `process/main.ts` does, and prints. */
export async function refused(t: Test, env: Env): Promise<string> {
  const DATA_DIR = env.DATA_DIR ?? (await preparedDataDir(t, { database: !env.DATABASE_URL }))
  try {
    const configuration = await readWholeConfiguration({ PORT: '0', DATA_DIR, ...env }, silent)
    const started = await startPlatform(configuration, silent)
    const { ready } = await listen(started, configuration.settings)
    await ready
    await started.close()
  } catch (error) {
    return refusalOf(error)
  }
  throw new Error(`It started with ${JSON.stringify(env)}`)
}

/** One line each; each in a process of its own where it is another user's. */
export async function refusals(
  t: Test,
  cases: readonly [Env, RegExp][],
  options?: Parameters<typeof run>[2]
) {
  const all = cases.map(async ([env, wanted]) => {
    const said = options ? await refusal(t, env, options) : (await refused(t, env)).trimEnd()
    t.match(said, wanted)
    t.notMatch(said, '\n', 'in one line')
  })
  await Promise.all(all)
}
