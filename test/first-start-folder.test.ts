// tier: whole
import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { chmod, chown, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { folderFor } from './embedded.ts'
import { temporaryFolder } from './pack-folders.ts'
import type { Env } from './refusals.ts'
import { AWAY, isRoot, NOBODY, refusals } from './refusals.ts'

t.test('a DATA_DIR in which nothing can be kept', async (t) => {
  const folder = await temporaryFolder(t)
  const file = join(folder, 'file')
  await writeFile(file, '')
  const old = await made(folder, 'old', { 'postgres/PG_VERSION': '14\n' })
  const strange = await made(folder, 'strange', { 'postgres/notes.txt': '' })
  const shared = await made(folder, 'shared', { 'secret-key': Buffer.alloc(32).toString('base64') })
  await chmod(join(shared, 'secret-key'), 0o644)
  await refusals(t, [
    [
      { DATA_DIR: file },
      /DATA_DIR .*file is not a folder, or lies below something that is none: set DATA_DIR/
    ],
    [{ DATA_DIR: join(file, 'below') }, /DATA_DIR .*below is not a folder, or lies below something/],
    [{ DATA_DIR: '/proc/x' }, /DATA_DIR \/proc\/x cannot be made there: set DATA_DIR to a folder on a disk/],
    [{ DATA_DIR: '/proc/x', DATABASE_URL: AWAY }, /DATA_DIR \/proc\/x cannot be made there/],
    [
      { DATA_DIR: old },
      /it was made by PostgreSQL 14, the embedded one is \d+: move the data by pg_dump, or set/
    ],
    [{ DATA_DIR: strange }, /it is not empty and holds no PostgreSQL data/],
    [
      { DATA_DIR: shared, DATABASE_URL: AWAY },
      /secret-key can be read by others than its owner: chmod 600 it/
    ]
  ])
})

t.test('a DATA_DIR of another user', async (t) => {
  const folder = folderFor(t)
  const locked = await made(folder, 'locked', {})
  const theirs = await made(folder, 'theirs', { 'postgres/PG_VERSION': '18\n' })
  // Who may do everything is refused nothing: another user is needed, or rights that are taken away.
  if (isRoot) await chown(theirs, NOBODY, NOBODY)
  else await chmod(locked, 0o500)
  const cases: [Env, RegExp][] = [
    [
      { DATA_DIR: locked },
      /DATA_DIR .*locked cannot be written by the user of this process \(number \d+\): set DATA_DIR/
    ]
  ]
  if (isRoot)
    cases.push(
      [
        { DATA_DIR: theirs },
        /DATA_DIR .*theirs belongs to the user with the number 0, and this process runs as 65534: start/
      ],
      [{ DATA_DIR: locked, DATABASE_URL: AWAY }, /DATA_DIR .*locked cannot be written/]
    )
  await refusals(t, cases, isRoot ? { uid: NOBODY } : {})
})

t.test('a disk that is full, too small, or only to be read', async (t) => {
  const disk = (name: string, options: string) => {
    const place = join(folder, name)
    mkdirSync(place)
    const shell = (command: string) =>
      execFileSync('/bin/sh', ['-c', command, 'sh', place], { stdio: 'ignore' })
    shell(`mount -t tmpfs -o ${options} tmpfs "$1"`)
    t.teardown(() => shell('umount "$1"'))
    return place
  }
  const folder = await temporaryFolder(t)
  let small: string
  try {
    small = disk('small', 'size=4m')
  } catch {
    return t.pass('no disk is full', { skip: 'this user may not mount anything' })
  }
  const full = disk('full', 'size=64k')
  await writeFile(join(full, 'ballast'), Buffer.alloc(65_536)).catch(() => undefined)
  const fixed = disk('fixed', 'ro,size=4m')
  await refusals(t, [
    [{ DATA_DIR: small }, /DATA_DIR .*small has 4 MB left, and a new database takes 100 MB: make room, or/],
    [{ DATA_DIR: full }, /DATA_DIR .*full lies on a disk that is full: make room/],
    [{ DATA_DIR: join(fixed, 'data') }, /DATA_DIR .*data lies where nothing can be written: set DATA_DIR/]
  ])
})

/** A folder with these files in it. */
async function made(above: string, name: string, files: Readonly<Record<string, string>>): Promise<string> {
  const folder = join(above, name)
  await mkdir(folder)
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(folder, path, '..'), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  return folder
}
