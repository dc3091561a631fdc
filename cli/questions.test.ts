import { PassThrough } from 'node:stream'
import t from 'tap'
import { confirmTwice } from './questions.ts'

/** A person who answers each question with the next of these lines, and then leaves. */
function terminal(...lines: readonly string[]) {
  const input = Object.assign(new PassThrough(), { isTTY: true })
  const output = new PassThrough()
  const left = [...lines]
  let asked = ''
  output.on('data', (text) => {
    asked += text
    const line = left.shift()
    if (line === undefined) input.end()
    else input.write(`${line}\n`)
  })
  return { input, output, asked: () => asked }
}

const ask = (it: ReturnType<typeof terminal>) => confirmTwice('Remove goals', 'goals', undefined, it)

t.test('what is removed is confirmed by a yes and by its name', async (t) => {
  for (const yes of ['y', 'Yes ']) {
    const it = terminal(yes, 'goals')
    await ask(it)
    t.match(it.asked(), /Remove goals\? \[y\/N\] .*Its name once more/s)
  }
})

t.test('everything else removes nothing', async (t) => {
  for (const lines of [['n'], [''], ['yes', 'goal'], ['yes', ''], ['yes'], []])
    await t.rejects(ask(terminal(...lines)), /othing was removed/, JSON.stringify(lines))
})

t.test('a program names it beforehand, for it cannot be asked', async (t) => {
  const input = Object.assign(new PassThrough(), { isTTY: false })
  const way = { input, output: new PassThrough() }
  await confirmTwice('Remove goals', 'goals', 'goals', way)
  await t.rejects(confirmTwice('Remove goals', 'goals', 'gaols', way), /does not name goals/)
  await t.rejects(confirmTwice('Remove goals', 'goals', undefined, way), /--yes goals/)
})
