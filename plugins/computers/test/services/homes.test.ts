import { invalid } from 'agent-platform'
import t from 'tap'
import type { ComputerFile } from '../../schemas/files.ts'
import type { FileService } from '../../services/files.ts'
import { createHomeService } from '../../services/homes.ts'
import type { ComputerSettings } from '../../settings.ts'

const about = { mode: 0o644, modifiedAt: '2026-01-01T00:00:00.000Z', encoding: null, offset: 0 }
const folderOf = (entries: object[], nextOffset: number | null = null) =>
  ({ ...about, type: 'folder', path: '.', size: 1, content: null, entries, nextOffset }) as ComputerFile
const fileOf = (content: string, more: Partial<ComputerFile> = {}) =>
  ({
    ...about,
    type: 'file',
    path: 'a',
    size: content.length,
    content: Buffer.from(content).toString('base64'),
    entries: null,
    nextOffset: null,
    ...more
  }) as ComputerFile
const entry = (name: unknown, type = 'file') => ({ name, type, size: 1, ...about })

/** All that is read of a computer that answers so. */
async function readOf(answer: (path: string, offset: number) => ComputerFile, archiveBytes = 1_000) {
  const fileService = {
    read: async (_by: object, _agentId: string, { path = '.', offset = 0 }) => answer(path, offset)
  } as unknown as FileService
  const { list } = createHomeService({ settings: { archiveBytes } as ComputerSettings, fileService })
  const left: string[] = []
  const read: Record<string, string> = {}
  for await (const { path, mode, bytes } of list({} as never, 'agent', (why, path) =>
    left.push(`${why} ${path}`)
  ))
    read[path] = `${mode.toString(8)} ${Buffer.concat(await Array.fromAsync(bytes))}`
  return { read, left }
}

t.test('what a computer says of its files is not believed', async (t) => {
  // In the order in which a folder has them.
  const names = ['', 7, '.', '..', '../out', '.browser', '/etc/passwd', 'a\0b', 'ok', '\ud800']
  const said = await readOf((path) =>
    path === '.' ? folderOf(names.map((name) => entry(name))) : fileOf('x', { mode: 0o106755 })
  )
  t.same(said.read, { ok: '755 x' })
  t.ok(said.left.every((it) => it.startsWith('unreadable')))

  const strange = await readOf((path) =>
    path === '.' ? folderOf([entry('a', 'door'), entry('b', 'link')]) : fileOf('')
  )
  t.same(strange, { read: {}, left: ['other a', 'link b'] })
  for (const size of ['9', Number.NaN, -1, 0.5])
    t.same(
      (
        await readOf((path) =>
          path === '.' ? folderOf([entry('a')]) : fileOf('xy', { size: size as never, nextOffset: 2 })
        )
      ).left,
      ['unreadable a'],
      `a size of ${size}`
    )
})

t.test('one that has no end of them is given up', async (t) => {
  const tooLarge = { kind: 'tooLarge', code: 'home_too_large' }
  const endless = (_: string, offset: number) => {
    const names = Array.from({ length: 200 }, (_, index) => String(offset + index).padStart(9, '0'))
    return folderOf(
      names.map((name) => entry(name, 'link')),
      offset + 200
    )
  }
  await t.rejects(readOf(endless), tooLarge, 'names')
  await t.rejects(
    readOf(() => folderOf([entry('a', 'folder'), entry('b', 'folder')])),
    tooLarge,
    'folders'
  )
  t.same(await readOf(() => folderOf([], 0)), { read: {}, left: [] }, 'a page without names is the last')
  const again = (path: string) =>
    path === '.' ? folderOf([entry('a', 'link'), entry('b', 'link')], 1) : fileOf('x')
  await t.rejects(readOf(again), tooLarge, 'the same again and again')
  const huge = (path: string) =>
    path === '.' ? folderOf([entry('a')]) : fileOf('x', { size: 2_000, nextOffset: 1 })
  await t.rejects(readOf(huge), tooLarge, 'bytes')
})

t.test('a file that changes while it is read is no half of one', async (t) => {
  const shorter = (path: string, offset: number) =>
    path === '.'
      ? folderOf([entry('a')])
      : offset === 0
        ? fileOf('x', { size: 3, nextOffset: 1 })
        : fileOf('')
  await t.rejects(readOf(shorter), { kind: 'unavailable', code: 'file_changed' })
  const longer = (path: string, offset: number) =>
    path === '.' ? folderOf([entry('a')]) : fileOf(offset === 0 ? 'x' : 'yzyzyz', { size: 3, nextOffset: 9 })
  t.same((await readOf(longer)).read, { a: '644 xyz' })
  const gone = (path: string) => {
    if (path !== '.') throw invalid('path', 'It leads out of the home', 'outside_home')
    return folderOf([entry('a')])
  }
  t.same(await readOf(gone), { read: {}, left: ['unreadable a'] })
  await t.rejects(
    readOf(() => {
      throw invalid('path', 'It leads out of the home', 'outside_home')
    }),
    { code: 'outside_home' },
    'unless it is the home itself'
  )
})
