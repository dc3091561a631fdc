import t from 'tap'
import { createQuestions } from '../../child/questions.ts'

t.test('two hundred questions go at once, and five hundred a second from then on', async (t) => {
  let now = 10_000
  const waits: number[] = []
  let atOnce = 0
  const questions = createQuestions(1, () => now, ((_: () => void, wait: number) =>
    waits.push(wait)) as unknown as typeof setTimeout)
  const ask = (count: number) => {
    for (let n = 0; n < count; n++) {
      t.ok(questions.ask(() => atOnce++))
      questions.answered()
    }
  }
  ask(203)
  t.equal(atOnce, 200)
  t.same(waits, [2, 4, 6])
  now += 100
  ask(49)
  t.equal(atOnce, 247, 'what a tenth of a second gives')
  t.same(waits.slice(3), [2, 4])
})

t.test('so many wait for an answer', async (t) => {
  const questions = createQuestions(2)
  const ask = () => questions.ask(() => undefined)
  t.same([ask(), ask(), ask()], [true, true, false])
  questions.answered()
  questions.answered()
  t.equal(ask(), true)
})
