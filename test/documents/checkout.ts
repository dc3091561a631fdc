import { execFile } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { chmod, copyFile, mkdir, mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { root } from '../../kernel/deployment.ts'
import { database } from '../database.ts'

interface Scope {
  teardown(work: () => unknown): unknown
}
const run = promisify(execFile)

/**
 * This checkout as a person has it who has just cloned it and run `npm ci`: its files in a folder of their own,
 * in a Git repository of their own, with the packages that are installed here, which nothing may write to. It goes with the test.
 */
export async function checkout(t: Scope): Promise<string> {
  // All tests share a server of databases. Begun by a test in there it would lose its programs with the folder.
  await database(t)
  const parent = await realpath(await mkdtemp(join(tmpdir(), 'agent-platform-clone-')))
  t.teardown(() => rm(parent, { recursive: true, force: true, maxRetries: 5 }))
  // Root's database runs as another user, who must get through.
  await chmod(parent, 0o755)
  const folder = join(parent, 'agent-platform')
  const { stdout } = await run('git', ['ls-files', '-z', '-c', '-o', '--exclude-standard'], { cwd: root })
  const paths = stdout.split('\0').filter(Boolean)
  for (const place of new Set(paths.map((path) => dirname(join(folder, path)))))
    await mkdir(place, { recursive: true })
  await Promise.all(paths.map((path) => copyFile(join(root, path), join(folder, path)).catch(unlessGone)))
  await install(join(root, 'node_modules'), join(folder, 'node_modules'))
  // What tools noted of these files is good there, but they write to it.
  const notes = join(folder, 'node_modules/.cache')
  await rm(notes, { recursive: true, force: true })
  if (existsSync(join(root, 'node_modules/.cache')))
    await run('cp', ['-a', join(root, 'node_modules/.cache'), notes])
  await giveCompiled(folder)
  await run('git', ['init', '--quiet'], { cwd: folder })
  await run('git', ['add', '--all'], { cwd: folder })
  return folder
}

/** By hard links where that is possible: a link to the folder would show through as soon as a path is resolved. */
async function install(from: string, to: string): Promise<void> {
  await run('cp', ['-al', from, to]).catch(async () => {
    await rm(to, { recursive: true, force: true })
    await run('cp', ['-a', from, to])
  })
}

/** Copies of packs, and what Node has compiled, are good there too. Such a file is replaced, and never written to. */
async function giveCompiled(folder: string): Promise<void> {
  await mkdir(join(folder, '.tap'))
  // To another disk nothing is linked, and a copy of a pack without its files would be taken for one.
  const how = statSync(root).dev === statSync(folder).dev ? '-al' : '-a'
  // Other tests replace some of them meanwhile: what is left out is made anew.
  for (const name of ['compiled', 'packs'])
    await run('cp', [how, join(root, '.tap', name), join(folder, '.tap', name)]).catch(() => undefined)
}

/** A file that is listed, but was deleted since. */
const unlessGone = (error: NodeJS.ErrnoException) => {
  if (error.code !== 'ENOENT') throw error
}
