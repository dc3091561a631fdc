import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import type { Packed } from '../../../test/archives.ts'
import { bombOf, zipOf } from '../../../test/archives.ts'
import { isFailure } from '../../contract/errors.ts'
import { readArchive } from './archives.ts'

const MIB = 1_048_576
const limits = { entries: 1_000, bytes: 64 * MIB, fileBytes: 16 * MIB }

async function filesOf(source: Buffer | string, caps: Partial<typeof limits> = {}) {
  const files: Record<string, string> = {}
  for await (const file of readArchive(source, { ...limits, ...caps }, '/file'))
    files[file.path] = (await file.read()).toString()
  return files
}

/** How it is refused; the names of what was given before show that nothing was. */
async function refusal(source: Buffer | string, caps: Partial<typeof limits> = {}) {
  const given: string[] = []
  try {
    for await (const file of readArchive(source, { ...limits, ...caps }, '/file')) {
      given.push(file.path)
      await file.read()
    }
  } catch (error) {
    if (!isFailure(error)) throw error
    const { kind, code, param, message } = error
    return { kind, code, param, message, given }
  }
  return { given }
}

t.test('files are given with their paths and bytes, from memory and from a file', async (t) => {
  const archive = zipOf([
    { name: 'notes/', mode: 0o040755 },
    { name: 'notes/a.md', content: '# A' },
    { name: 'notes/run.sh', content: 'echo', mode: 0o100755, stored: true },
    { name: 'notes/empty.md' },
    { name: '__MACOSX/notes/._a.md', content: 'left behind' },
    { name: 'notes/.DS_Store', content: 'left behind' },
    { name: 'notes/inner.zip', content: zipOf([{ name: '../out', content: 'never opened' }]) }
  ])
  const path = join(t.testdir(), 'archive.zip')
  writeFileSync(path, archive)
  for (const source of [archive, path]) {
    const { 'notes/inner.zip': inner, ...files } = await filesOf(source)
    t.same(files, { 'notes/a.md': '# A', 'notes/run.sh': 'echo', 'notes/empty.md': '' })
    t.match(inner, /^PK/, 'an archive inside is a file like any other')
  }
  const modes: [string, boolean, number][] = []
  for await (const { path, isExecutable, size } of readArchive(archive, limits))
    modes.push([path, isExecutable, size])
  t.same(modes.slice(0, 2), [
    ['notes/a.md', false, 3],
    ['notes/run.sh', true, 4]
  ])
})

t.test('names are read as they were meant', async (t) => {
  const decomposed = 'u\u0308ber.md'
  t.same(Object.keys(await filesOf(zipOf([{ name: decomposed }]))), ['\u00fcber.md'])
  t.same(Object.keys(await filesOf(zipOf([{ name: '\u00fcber.md', flags: 0 }]))), ['\u00fcber.md'])
  const cp437 = Buffer.from([0x81, ...Buffer.from('ber.md')])
  t.same(Object.keys(await filesOf(zipOf([{ name: cp437, flags: 0 }]))), ['\u00fcber.md'])
})

const unsafe: Record<string, Packed[]> = {
  'leads out': [{ name: 'a/../../etc/passwd', content: 'x' }],
  'leads out by a backslash': [{ name: '..\\..\\out', content: 'x' }],
  'an absolute path': [{ name: '/etc/passwd', content: 'x' }],
  'a drive': [{ name: 'C:/windows/x', content: 'x' }],
  'a NUL': [{ name: 'a.md\0.sh', content: 'x' }],
  'an empty segment': [{ name: 'a//b', content: 'x' }],
  'no name': [{ name: '', content: 'x' }],
  'a long name': [{ name: 'x'.repeat(256), content: 'x' }],
  'a long path': [{ name: `${'x'.repeat(200)}/`.repeat(6), content: '' }],
  'deep folders': [{ name: `${'a/'.repeat(40)}b`, content: 'x' }],
  'a symbolic link': [{ name: 'link', content: '/etc/passwd', mode: 0o120777 }],
  'a device': [{ name: 'null', mode: 0o020666 }],
  'a folder that is called a file': [{ name: 'a', mode: 0o040755 }],
  'one name twice': [{ name: 'a.md' }, { name: 'a.md' }],
  'names that differ by case': [{ name: 'A/Read.md' }, { name: 'a/read.MD' }],
  'names that differ by composition': [{ name: '\u00fc.md' }, { name: 'u\u0308.md' }],
  'a file below a file': [{ name: 'a' }, { name: 'a/b' }],
  'a folder above, then a file': [{ name: 'a/b' }, { name: 'A' }],
  'a folder and a file': [{ name: 'a/', mode: 0o040755 }, { name: 'a' }]
}

t.test(
  'names that mean something outside, or one another, are refused before anything is given',
  async (t) => {
    for (const [what, entries] of Object.entries(unsafe)) {
      const refused = await refusal(zipOf([{ name: 'first.md', content: 'fine' }, ...entries]))
      t.match(refused, { kind: 'invalid', code: 'archive_unsafe', param: '/file', given: [] }, what)
    }
  }
)

t.test('what cannot be unpacked is refused', async (t) => {
  const unsupported = { kind: 'invalid', code: 'archive_unsupported', given: [] }
  t.match(await refusal(zipOf([{ name: 'a', content: 'x', flags: 1 }])), unsupported, 'encrypted')
  t.match(await refusal(zipOf([{ name: 'a', content: 'x', method: 14 }])), unsupported, 'LZMA')
})

t.test('an archive has as many entries as are allowed', async (t) => {
  const many = zipOf(Array.from({ length: 1_001 }, (_, index) => ({ name: `${index}.md`, stored: true })))
  const tooLarge = { kind: 'tooLarge', code: 'archive_too_large', given: [] }
  t.match(await refusal(many), { ...tooLarge, message: 'The archive has 1001 entries, more than 1000' })
  t.equal(Object.keys(await filesOf(many, { entries: 1_001 })).length, 1_001)

  const entries = Array.from({ length: 100_000 }, (_, index) => ({ name: String(index), stored: true }))
  t.match(await refusal(zipOf(entries)), tooLarge, '100,000 by its directory')
  const hidden = zipOf([{ name: 'a' }, { name: 'b' }], { count: 1 })
  t.match(await refusal(hidden), { code: 'archive_broken', given: [] }, 'more than it counts')
})

t.test('50 MB that unpack to 10 GB are refused by the directory, and cut where that lies', async (t) => {
  const bomb = bombOf(1_024)
  const name = (index: number) => `${index}.bin`
  const ten = Array.from({ length: 10 }, (_, index) => index)
  const honest = zipOf(ten.map((index) => ({ name: name(index), deflated: bomb, size: 1_024 * MIB })))
  t.ok(honest.length > 40 * MIB, `${honest.length} bytes`)
  const tooLarge = { kind: 'tooLarge', code: 'archive_too_large', given: [] }
  t.match(await refusal(honest), tooLarge)
  t.match(await refusal(honest, { fileBytes: 2_000 * MIB }), { ...tooLarge, message: /100 times/ })
  const caps = { ...limits, ratio: 2_000, fileBytes: 2_000 * MIB }
  t.match(await refusal(honest, caps), { ...tooLarge, message: /unpacks to more than/ })

  const lying = zipOf(ten.map((index) => ({ name: name(index), deflated: bomb, size: MIB })))
  let taken = 0
  for await (const file of readArchive(lying, limits)) {
    const read = async () => {
      for await (const part of file.open()) taken += part.length
    }
    await t.rejects(read(), { kind: 'invalid', code: 'archive_broken' })
  }
  t.ok(taken <= 10 * MIB, `${taken} bytes were unpacked`)
})

t.test('entries that share bytes are refused', async (t) => {
  const content = 'x'.repeat(64)
  const same = zipOf([
    { name: 'a', content },
    { name: 'b', content, at: 0 }
  ])
  const broken = { kind: 'invalid', code: 'archive_broken' }
  t.match(await refusal(same), { ...broken, message: 'The archive has entries that overlap', given: [] })
  const within = zipOf([
    { name: 'a', content: zipOf([{ name: 'b', content }]), stored: true },
    { name: 'b', content, at: 31 }
  ])
  t.match(await refusal(within), { ...broken, given: [] }, 'quoted by another')
  const directory = zipOf([{ name: 'a', content, at: 2_000 }])
  t.match(await refusal(directory), { ...broken, given: [] }, 'in the directory')
  const other = zipOf([{ name: 'a', content, localName: 'b' }])
  t.match(await refusal(other), { ...broken, given: ['a'] }, 'it calls itself something else')
})

t.test('damaged bytes are refused, and nothing else is thrown', async (t) => {
  const broken = { kind: 'invalid', code: 'archive_broken', param: '/file' }
  for (const source of [Buffer.alloc(0), Buffer.from('no archive'), Buffer.alloc(100_000, 'PK')])
    t.match(await refusal(source), { ...broken, given: [] })
  t.match(
    await refusal(zipOf([{ name: 'a', content: 'abc', sum: 1 }])),
    { ...broken, given: ['a'] },
    'another sum'
  )
  t.match(
    await refusal(zipOf([{ name: 'a', content: 'abc', size: 4 }])),
    { ...broken, given: ['a'] },
    'too short'
  )

  const whole = zipOf([
    { name: 'a/b.md', content: 'some text, '.repeat(40) },
    { name: 'c.md', content: 'more', stored: true }
  ])
  const good = await filesOf(whole)
  let refusals = 0
  for (let round = 0; round < 400; round++) {
    const bytes = Buffer.from(whole.subarray(0, round % 2 ? whole.length : (round * 7919) % whole.length))
    const at = (round * 6007) % whole.length
    if (round % 2) bytes.writeUInt8(bytes.readUInt8(at) ^ (1 + (round % 255)), at)
    if ((await refusal(bytes)).kind) refusals++
    else if (!t.same(await filesOf(bytes), good, 'what is taken is what was packed')) break
  }
  t.ok(refusals > 300, `${refusals} of 400 were refused`)
})

t.test('a file that is not there is no broken archive', async (t) => {
  await t.rejects(filesOf(join(t.testdir(), 'none.zip')), { code: 'ENOENT' })
})
