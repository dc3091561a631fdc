import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import { packText, temporaryFolder, writeFiles } from '../../../test/pack-folders.ts'
import { definePack } from '../../contract/pack.ts'
import { createLoader } from './loader.ts'

const log = { warn() {} }

async function loaded(t: Parameters<typeof temporaryFolder>[0], files: Readonly<Record<string, string>>) {
  const root = await temporaryFolder(t)
  const folder = await writeFiles(join(root, 'packs', 'notes'), files)
  const loader = createLoader({ folders: [join(root, 'packs')], versions: join(root, 'data', 'packs'), log })
  const { version } = await loader.load(await loader.find('notes'))
  const module = async (file: string) => import(pathToFileURL(join(version, file)).href)
  return { root, folder, version, module }
}

t.test('agent-platform is one module for the platform, a copy of a pack and its original', async (t) => {
  const { folder, module } = await loaded(t, {
    'pack.ts': packText('notes'),
    'contract.ts': `export { definePack } from 'agent-platform'`,
    'schemas.ts': `import { Type } from 'typebox'\nexport const Note = Type.Object({ text: Type.String() })`
  })
  t.equal((await module('contract.ts')).definePack, definePack)
  const original = await import(pathToFileURL(join(folder, 'contract.ts')).href)
  t.equal(original.definePack, definePack)
  t.not(original, await module('contract.ts'))
  t.equal(import.meta.resolve('agent-platform'), new URL('../../contract/pack.ts', import.meta.url).href)
  t.match((await module('schemas.ts')).Note, { type: 'object' })
})

t.test('npm packages of the original folder come before the platform’s', async (t) => {
  const { module } = await loaded(t, {
    'pack.ts': packText('notes'),
    'own.ts': `import { createRequire } from 'node:module'
      import * as typebox from 'typebox'
      import only from 'only-here'
      export const imported = [typebox.mine, only]
      export const required = createRequire(import.meta.url)('only-here')
      export const platforms = typeof createRequire(import.meta.url)('pg').Client`,
    'node_modules/typebox/package.json': '{ "name": "typebox", "type": "module", "exports": "./index.js" }',
    'node_modules/typebox/index.js': 'export const mine = true',
    'node_modules/only-here/index.js': 'module.exports = 42'
  })
  const own = await module('own.ts')
  t.same(own.imported, [true, 42])
  t.equal(own.required, 42)
  t.equal(own.platforms, 'function')
})

t.test('a relative import stays in the version’s folder, a missing package is named', async (t) => {
  const { version, module } = await loaded(t, {
    'pack.ts': packText('notes'),
    'inner/inside.ts': `export { place } from '../place.ts'`,
    'place.ts': 'export const place = import.meta.url',
    'missing.ts': `import 'no-such-package'`
  })
  t.equal((await module('inner/inside.ts')).place, pathToFileURL(join(version, 'place.ts')).href)
  await t.rejects(module('missing.ts'), {
    code: 'ERR_MODULE_NOT_FOUND',
    message: /Cannot find package 'no-such-package' imported from .*missing\.ts/
  })
})

t.test('workers and forked processes of a version resolve likewise, wherever they run', async (t) => {
  const { root, folder, version, module } = await loaded(t, {
    'pack.ts': packText('notes'),
    'answer.ts': 'export const answer = "first"',
    'child.ts': `import { parentPort } from 'node:worker_threads'
      import { typeOfId } from 'agent-platform'
      import { Type } from 'typebox'
      import { answer } from './answer.ts'
      const said = [answer, typeof typeOfId, Type.String().type, import.meta.url]
      if (parentPort) parentPort.postMessage(said)
      else process.send?.(said)`,
    'start.ts': `import { fork } from 'node:child_process'
      import { Worker } from 'node:worker_threads'
      const child = () => new URL('./child.ts', import.meta.url)
      export const worker = () => new Worker(child())
      export const forked = (cwd: string) => fork(child(), { cwd })`
  })
  await writeFiles(folder, { 'answer.ts': 'export const answer = "second"', 'child.ts': 'throw 1' })
  const { worker, forked } = await module('start.ts')
  const expected = ['first', 'function', 'string', pathToFileURL(join(version, 'child.ts')).href]
  for (const start of [worker, () => forked(root)]) {
    const said = await new Promise((resolve, reject) => {
      const process = start()
      process.once('message', resolve).once('error', reject)
      process.once('exit', () => reject(new Error('ended without a message')))
    })
    t.same(said, expected)
  }
})
