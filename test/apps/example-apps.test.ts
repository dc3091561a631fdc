// budget: 5 s, because the compiler looks at all of them
import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { checkApp } from '../../apps-sdk/app/src/command/check.ts'
import { root } from '../../kernel/deployment.ts'

const folder = join(root, 'examples/apps')
const apps = globSync(join(folder, '*/src/app.ts')).map((path) => join(path, '../..'))

t.test('each app is as its author’s check wants it, and small', async (t) => {
  t.ok(apps.length >= 3)
  for (const app of apps) {
    const lines: string[] = []
    t.ok(await checkApp(app, (line) => lines.push(line)), basename(app))
    const faults = lines.filter((line) => /^(?:error|note):/.test(line))
    t.same(faults, [], 'it asks for what it uses, and for nothing else')
    const [, size = 'nothing'] = lines.join('\n').match(/server\.js ([\d.]+) KiB/) ?? []
    t.ok(Number(size) < 50, `${size} KiB of code: that starts at once`)
  }
})

t.test('the compiler knows the types of functions on the pages too', async (t) => {
  const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc')
  const { stdout } = await promisify(execFile)(process.execPath, [tsc, '-p', folder]).catch((error) => error)
  t.equal(stdout, '')
})
