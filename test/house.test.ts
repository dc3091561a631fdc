import { readFile, writeFile } from 'node:fs/promises'
import t from 'tap'
import { boot } from './boot.ts'
import { pictureOf } from './house/picture.ts'

const file = new URL('../docs/house.svg', import.meta.url)

t.test('the picture of the house shows the packs that there are', async (t) => {
  const { platform } = await boot(t)
  const packs = await platform.hosting.list()
  const picture = pictureOf(packs.map(({ name, area }) => ({ name, area: String(area) })))
  if (process.env.UPDATE) await writeFile(file, picture)
  else
    t.equal(
      await readFile(file, 'utf8'),
      picture,
      'docs/house.svg, else write it: UPDATE=1 npx tap test/house.test.ts'
    )
})
