import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** A program of this repository's that ended: nothing that it printed is lost. */
export interface Ended {
  readonly status: number | null
  readonly output: string
}

const known = /^(PATH|HOME|USER|LOGNAME|SHELL|TERM|LANG|LC_\w+|TZ|TMPDIR|TEST_\w+)$/

/**
 * The environment of a terminal that was just opened: nothing of npm, of a test, or of the platform in it. What Node
 * compiles is kept in the clone, to which `checkout` has given what is compiled already.
 */
export function plainEnvironment(clone: string): NodeJS.ProcessEnv {
  const { PATH = '', ...others } = process.env
  const places = PATH.split(delimiter).filter((place) => !place.includes('node_modules'))
  const kept = Object.entries(others).filter(([name]) => known.test(name))
  const quiet = { npm_config_userconfig: '/dev/null', npm_config_update_notifier: 'false', NO_COLOR: '1' }
  const compiled = { NODE_COMPILE_CACHE: join(clone, '.tap/compiled'), NODE_COMPILE_CACHE_PORTABLE: '1' }
  return { ...Object.fromEntries(kept), PATH: places.join(delimiter), ...quiet, ...compiled }
}

/** Runs a program of `node_modules/<pack>` in a folder that has one. */
export function runTool(folder: string, cwd: string, pack: string, program: string, args: readonly string[]) {
  const home = join(folder, 'node_modules', pack)
  const { bin } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as {
    bin: string | Record<string, string>
  }
  const file = join(home, typeof bin === 'string' ? bin : (bin[program] as string))
  return runNode(folder, cwd, [file, ...args])
}

export function runNode(clone: string, cwd: string, args: readonly string[]): Promise<Ended> {
  return new Promise((resolve) => {
    const options = { cwd, env: plainEnvironment(clone), maxBuffer: 1e8 }
    execFile(process.execPath, [...args], options, (error, stdout, stderr) =>
      resolve({ status: error ? Number(error.code) : 0, output: stdout + stderr })
    )
  })
}
