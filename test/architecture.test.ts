import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { root } from '../kernel/deployment.ts'

const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8')
/** Paths are what is set as code, has a slash, and begins with a folder or file of the repository. */
const paths = [...page.matchAll(/`([\w.-]+\/[\w./-]*)`/g)].map(([, path]) => path as string)

t.test('every file and folder that the page names is there', (t) => {
  t.ok(paths.length > 50, 'the page names what it speaks of')
  for (const path of new Set(paths)) {
    const place = join(root, path)
    t.ok(existsSync(place), path)
    if (existsSync(place))
      t.equal(statSync(place).isDirectory(), path.endsWith('/'), `${path} is what it says`)
  }
  t.end()
})

t.test('every room of the kernel, and every folder with code, is on the map', (t) => {
  const kernel = readdirSync(join(root, 'kernel'), { withFileTypes: true }).filter((it) => it.isDirectory())
  for (const { name } of kernel) t.ok(paths.includes(`kernel/${name}/`), `kernel/${name}/`)
  const { include } = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8')) as { include: string[] }
  for (const folder of include) t.ok(paths.includes(`${folder}/`), `${folder}/`)
  t.end()
})

t.test('what the page numbers is counted without a gap', (t) => {
  for (const [heading, text = ''] of page.split(/^## /m).map((section) => section.split(/\n(.*)/s))) {
    const numbers = [...text.matchAll(/^(\d+)\. /gm)].map(([, number]) => Number(number))
    t.same(
      numbers,
      numbers.map((_, index) => index + 1),
      heading as string
    )
  }
  t.end()
})
