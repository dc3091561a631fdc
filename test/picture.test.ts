import { readFile, writeFile } from 'node:fs/promises'
import t from 'tap'
import { manifestsOf } from './manifests.ts'
import { pictureOf } from './picture/draw.ts'

const file = new URL('../docs/architecture.svg', import.meta.url)

t.test('the picture of the architecture shows the packs that there are', async (t) => {
  const manifests = await manifestsOf(t)
  const picture = pictureOf(manifests.map(({ name, area }) => ({ name, area })))
  if (process.env.UPDATE) await writeFile(file, picture)
  else
    t.equal(
      await readFile(file, 'utf8'),
      picture,
      'docs/architecture.svg, else write it: UPDATE=1 npx tap test/picture.test.ts'
    )
})
