import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** The user that the server runs as, where it is not the user of this process: PostgreSQL refuses root. */
export interface Account {
  readonly uid: number
  readonly gid: number
}

/** Whether this process is root, so that the server needs an account of its own. */
export const isRoot = (): boolean => process.getuid?.() === 0

/** The account for a new data folder: `agent-platform` where such a user exists, else `nobody`. */
export function serviceAccount(): Account {
  const users = readFileSync('/etc/passwd', 'utf8').split('\n')
  for (const name of ['agent-platform', 'nobody']) {
    const [, , uid, gid] = users.find((line) => line.startsWith(`${name}:`))?.split(':') ?? []
    if (Number(uid)) return { uid: Number(uid), gid: Number(gid) }
  }
  throw new Error(
    'The embedded PostgreSQL does not run as root: make a user agent-platform, or set DATABASE_URL'
  )
}

/** How a process of that account is started: nothing of this process' environment but PATH goes along. */
export const processOptions = (account: Account | undefined) => ({
  ...account,
  cwd: '/',
  env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' }
})

export interface Finished {
  /** Undefined when the program could not be started, or was ended by a signal. */
  readonly code: number | undefined
  readonly stdout: string
  /** What it said of errors, or why it could not be started. */
  readonly stderr: string
}

/** Runs a program as that account to its end. Never rejects. */
export const run = (
  account: Account | undefined,
  program: string,
  args: readonly string[],
  input = ''
): Promise<Finished> =>
  new Promise((resolve) => {
    const options = { ...processOptions(account), maxBuffer: 16 * 1024 * 1024 }
    const child = execFile(program, args, options, (error, stdout, stderr) => {
      const code = error ? error.code : 0
      resolve({
        code: typeof code === 'number' ? code : undefined,
        stdout,
        stderr: stderr || (error?.message ?? '')
      })
    })
    child.stdin?.on('error', () => undefined)
    child.stdin?.end(input)
  })

/** Whether that account reaches the folder, through all the folders above it. */
export const canEnter = async (account: Account, folder: string): Promise<boolean> =>
  (await run(account, '/bin/sh', ['-c', 'cd "$1"', 'sh', folder])).code === 0
