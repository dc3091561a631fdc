import { readFile, writeFile } from 'node:fs/promises'
import t from 'tap'
import { boot } from '../../test/boot.ts'
import { typesOf } from './generate.ts'

const file = new URL('src/api.ts', import.meta.url)

t.test('the types are those of the platform with all its packs', async (t) => {
  const { anyone } = await boot(t)
  const { body } = await anyone.get('/openapi.json')
  t.ok(Object.keys(body.paths).length > 30)
  const types = await typesOf(body)
  if (process.env.UPDATE) await writeFile(file, types)
  else t.equal(await readFile(file, 'utf8'), types, 'else write them with UPDATE=1')
})
