// process: own
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { masterKeyOf, openMasterKeys } from './secret-key.ts'

/** The keys as they are right after the start. */
const readSecretKey = async (from: Parameters<typeof openMasterKeys>[0]) => (await openMasterKeys(from))()
const base64 = (bytes = randomBytes(32)) => bytes.toString('base64')

t.test('from the variable', async (t) => {
  const dataDir = t.testdir()
  const [one, two] = [randomBytes(32), randomBytes(32)]
  const read = (value: string) => readSecretKey({ value, dataDir, production: true })
  const keys = await read(`${base64(one)}, ${two.toString('base64url')}\n`)
  t.strictSame(
    keys.map(({ key }) => key.export()),
    [one, two]
  )
  t.not(keys[0].id, keys[1]?.id)
  t.equal((await read(base64(one)))[0].id, keys[0].id)
  t.notOk(one.toString('hex').includes(keys[0].id), 'the id tells nothing')
  t.strictSame(readdirSync(dataDir), [])

  for (const value of [
    base64(randomBytes(31)),
    base64(randomBytes(33)),
    'password',
    `${base64()},`,
    `${base64()}!`
  ]) {
    const error = await read(value).then(
      () => undefined,
      (reason: Error) => reason
    )
    t.match(error?.message, /^PLATFORM_SECRET_KEY must be 32 bytes in base64/)
    t.notOk(error?.message.includes(value), 'without the key in it')
  }
})

t.test('production needs it', async (t) => {
  const dataDir = t.testdir()
  await t.rejects(readSecretKey({ dataDir, production: true }), /PLATFORM_SECRET_KEY is required/)
  t.strictSame(readdirSync(dataDir), [])
})

t.test('made once in development', async (t) => {
  const dataDir = join(t.testdir(), 'deep', 'data')
  const [made] = await readSecretKey({ dataDir, production: false })
  const file = join(dataDir, 'secret-key')
  t.equal(statSync(file).mode & 0o777, 0o600)
  t.strictSame(readdirSync(dataDir), ['secret-key'])
  t.equal(Buffer.from(readFileSync(file, 'utf8').trim(), 'base64').length, 32)
  t.equal((await readSecretKey({ dataDir, production: false }))[0].id, made.id)
  t.not(
    (await readSecretKey({ value: base64(), dataDir, production: false }))[0].id,
    made.id,
    'the variable wins'
  )

  const read = await openMasterKeys({ dataDir, production: false })
  writeFileSync(file, `${base64(Buffer.alloc(32, 1))},${readFileSync(file, 'utf8')}`)
  t.strictSame(
    read().map(({ id }) => id),
    [masterKeyOf(Buffer.alloc(32, 1)).id, made.id],
    'as it is now, not as it was at the start'
  )

  chmodSync(file, 0o644)
  t.throws(read, /chmod 600/)
  await t.rejects(readSecretKey({ dataDir, production: false }), /chmod 600/)
  chmodSync(file, 0o600)
  writeFileSync(file, 'broken')
  await t.rejects(readSecretKey({ dataDir, production: false }), /secret-key must be 32 bytes/)
})

t.test('made once, however many start at the same time', async (t) => {
  const dataDir = t.testdir()
  const script = `
    import { openMasterKeys } from ${JSON.stringify(new URL('./secret-key.ts', import.meta.url).href)}
    const all = Array.from({ length: 20 }, () => openMasterKeys({ dataDir: ${JSON.stringify(dataDir)}, production: false }))
    console.log([...new Set((await Promise.all(all)).map((read) => read()[0].id))].join())`
  const outputs = await Promise.all(
    Array.from({ length: 3 }, async () => {
      const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
        stdio: ['ignore', 'pipe', 'inherit']
      })
      const [text, [code]] = await Promise.all([
        child.stdout.setEncoding('utf8').toArray(),
        once(child, 'exit')
      ])
      t.equal(code, 0)
      return text.join('').trim()
    })
  )
  t.match(outputs[0], /^[0-9a-f]{16}$/)
  t.equal(new Set(outputs).size, 1)
  t.strictSame(readdirSync(dataDir), ['secret-key'])
})
