import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Process } from './http/process.ts'
import { run } from './http/process.ts'

interface Scope {
  teardown(work: () => unknown): unknown
}

/** The line to paste, in what was printed. */
const COMMAND = /\n(curl -N .*)\n\n/

/** A platform that has greeted, and the line that it gave. */
export interface Greeting extends Process {
  readonly command: string
}

export async function greeted(process_: Process): Promise<Greeting> {
  const [, command = ''] = await process_.said(COMMAND)
  return { ...process_, command }
}

export const start = async (t: Scope, env: Readonly<Record<string, string>>): Promise<Greeting> =>
  greeted(await run(t, env))

/** The events that the line gives, run as it stands by a shell in another folder. */
export async function paste(command: string): Promise<readonly Record<string, unknown>[]> {
  const child = spawn('sh', ['-c', command], { cwd: '/', stdio: ['ignore', 'pipe', 'ignore'] })
  const output = child.stdout.reduce((all, chunk) => all + chunk, '')
  const [code] = await once(child, 'close')
  const text: string = await output
  if (code !== 0) throw new Error(`${command} ended with ${code}: ${text}`)
  return text.split('\n').flatMap((line) => (line.startsWith('data: {') ? JSON.parse(line.slice(6)) : []))
}

/** What is not of the log. */
export const wordsOf = ({ output }: Process): string =>
  output()
    .split('\n')
    .filter((line) => !line.startsWith('{'))
    .join('\n')

export async function stop({ kill, exited }: Process): Promise<void> {
  kill('SIGTERM')
  await exited
}
