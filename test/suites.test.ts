import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { parse } from 'yaml'
import { root } from '../kernel/deployment.ts'

const read = (file: string) => readFileSync(join(root, file), 'utf8')
const found = (pattern: string, exclude: readonly string[] = []) => globSync(pattern, { cwd: root, exclude })

t.test('each test file is run once, alone or in a suite', async (t) => {
  const { include } = parse(read('.taprc')) as { include: string[] }
  const begun = include.flatMap((pattern) => found(pattern))
  const runs = begun.flatMap((file) => {
    if (file.endsWith('.test.ts')) return [file]
    return Array.from(read(file).matchAll(/'([^']+\.test\.ts)'/g), ([, pattern = '']) =>
      found(pattern)
    ).flat()
  })
  const files = found('**/*.test.ts', ['**/node_modules/**', '.*/**'])
  t.ok(files.length > 200, `${files.length} files`)
  t.same(runs.sort(), files.sort())
})
