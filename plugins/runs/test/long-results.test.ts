import t from 'tap'
import { clipped } from '../execute/clipped.ts'
import { outputsOf } from '../execute/prompt-messages.ts'
import type { CallRow, StepRow } from '../stores/steps.ts'

const call = (id: string, output: unknown) => ({ id, output }) as CallRow
const step = (...calls: CallRow[]) => ({ calls }) as Partial<StepRow> as StepRow
const lengthsOf = (outputs: ReadonlyMap<string, string>) => [...outputs.values()].map(({ length }) => length)
const sum = (lengths: readonly number[]) => lengths.reduce((one, other) => one + other, 0)
const lines = (count: number) => Array.from({ length: count }, (_, at) => `line ${at}\n`).join('')

t.test('a result that is a little too long loses a little', async (t) => {
  const text = 'x'.repeat(80_000)
  const [length] = lengthsOf(outputsOf([step(call('a', text))], 73_000)) as [number]
  t.ok(length > 55_000 && length <= 73_000, `${length} characters`)
  const two = lengthsOf(
    outputsOf([step(call('a', text.slice(0, 40_300)), call('b', text.slice(0, 40_300)))], 73_000)
  )
  t.ok(sum(two) > 65_000 && sum(two) <= 73_000 && Math.min(...two) > 30_000, `${two} characters`)
})

t.test('the beginning and the end of a result stay, and a note says what is missing', async (t) => {
  const text = lines(2_000)
  const cut = outputsOf([step(call('call_1', text))], 10_000).get('call_1') ?? ''
  t.match(cut, /^line 0\nline 1\n/)
  t.match(cut, /\nline 1999\n$/)
  const [, left] =
    /\n\[(\d+) of \d+ characters of the result call_1 are left out; read_result reads them\]\n/.exec(cut) ??
    []
  t.equal(cut.replace(/\n\[.*\]\n/, '').length + Number(left), text.length)
})

t.test('results of early steps are cut first, and those of one step by their length', async (t) => {
  const old = [call('a', 'a'.repeat(20_000)), call('b', 'b'.repeat(2_000))]
  const steps = [step(...old), step(call('c', 'c'.repeat(20_000)))]
  const [first = 0, ...others] = lengthsOf(outputsOf(steps, 36_000))
  t.ok(first > 10_000 && first < 16_000, `${first}`)
  t.same(others, [2_000, 20_000])
  const [a = 0, b = 0, c = 0] = lengthsOf(outputsOf(steps, 22_000))
  t.ok(a < 1_200 && b < 1_200, `${a} and ${b}`)
  t.ok(c > 14_000, `${c}`)
  const whole = outputsOf(steps, 42_000)
  t.same(lengthsOf(whole), [20_000, 2_000, 20_000], 'nothing is cut without need')
})

t.test('results that cannot be cut enough keep their least', async (t) => {
  const many = Array.from({ length: 50 }, (_, at) => step(call(`c${at}`, 'x'.repeat(3_000))))
  const lengths = lengthsOf(outputsOf(many, 10_000))
  t.ok(lengths.every((length) => length >= 1_000 && length < 1_200))
})

t.test('the same cuts are made for later steps, until more has to go', async (t) => {
  const steps = Array.from({ length: 12 }, (_, at) => step(call(`c${at}`, 'x'.repeat(3_000))))
  let same = 0
  for (let count = 6; count < 12; count++) {
    const before = [...outputsOf(steps.slice(0, count), 20_000)]
    const after = outputsOf(steps.slice(0, count + 1), 20_000)
    same += before.filter(([id, text]) => after.get(id) === text).length / count
  }
  t.ok(same > 3, `${same}`)
})

t.test('a cut never leaves half of a character', async (t) => {
  for (let room = 1; room < 12; room++)
    t.ok(clipped('😀'.repeat(50), room, () => 'cut').isWellFormed(), `${room}`)
  t.equal(
    clipped('short', 5, () => 'cut'),
    'short'
  )
})
