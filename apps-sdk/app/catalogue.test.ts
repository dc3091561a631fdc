import { readFile, writeFile } from 'node:fs/promises'
import t from 'tap'
import { parameters as storage } from '../../plugins/app-storage/methods/parameters.ts'
import { boot } from '../../test/boot.ts'
import { capabilityTypes, catalogueText } from './generate.ts'
import type { CatalogueEntry } from './src/catalogue/entry.ts'

t.test('types and catalogue are those of the platform with all its packs', async (t) => {
  const { platform, as } = await boot(t)
  const offered = platform.points
    .all('ui-plugins.capability')
    .map(({ key = '', value }) => [key, value] as const)
  const capabilities = new Map<string, CatalogueEntry>(offered.sort(([a], [b]) => (a < b ? -1 : 1)))
  t.ok(capabilities.size >= 2, `${capabilities.size} capabilities`)
  const { body } = await as('ada').get('/v1/ui-plugins/capabilities?limit=100')
  t.same(
    body.data.map(({ name }: { name: string }) => name),
    [...capabilities.keys()],
    'as the API lists them'
  )
  const files = {
    'src/context/capabilities.ts': await capabilityTypes({ capabilities, storage }),
    'src/catalogue/catalogue.ts': catalogueText({ capabilities, storage })
  }
  for (const [path, text] of Object.entries(files)) {
    const file = new URL(path, import.meta.url)
    if (process.env.UPDATE) await writeFile(file, text)
    else t.equal(await readFile(file, 'utf8'), text, 'else write it with UPDATE=1')
  }
})
