import { chownSync, statSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { temporaryFolder } from '../../../../test/pack-folders.ts'
import { createHomes, uidOf } from '../../local/homes.ts'

const skip = process.getuid?.() === 0 ? false : 'users are given by root alone'

t.test('computers of two platforms on a machine are different users', async (t) => {
  const [one, other] = ['0'.repeat(32), `${'0'.repeat(11)}1${'0'.repeat(20)}`]
  t.not(uidOf(one, 7), uidOf(other, 7))
  t.equal(uidOf(one, 8) - uidOf(one, 7), 1)
  for (const name of [one, other, 'f'.repeat(32)]) {
    t.ok(uidOf(name, 1) > 1_900_099_999, 'beside those that were there before')
    t.ok(uidOf(name, 99_999) < 2 ** 31, 'a number that all systems have')
  }
})

t.test('a home has its user for good', { skip }, async (t) => {
  const folder = await temporaryFolder(t)
  const { uid, home } = await createHomes(folder).open(3, 'three')
  const installation = await readFile(join(folder, 'installation'), 'utf8')
  t.equal(uid, uidOf(installation, 3))
  t.equal(statSync(home).uid, uid)
  t.match(await readFile(join(folder, '3', 'etc', 'passwd'), 'utf8'), `agent:x:${uid}:${uid}:`)

  const before = 1_900_000_003
  chownSync(home, before, before)
  await writeFile(join(folder, 'installation'), 'e'.repeat(32))
  t.equal((await createHomes(folder).open(3, 'three')).uid, before, 'of a home that was made before')
  t.equal((await createHomes(folder).open(4, 'four')).uid, uidOf('e'.repeat(32), 4))
})
