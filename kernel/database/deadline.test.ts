import { setImmediate as round } from 'node:timers/promises'
import t from 'tap'
import { DeadlineExceeded, within } from './deadline.ts'

t.test('an answer in time, and one that is late', async (t) => {
  t.equal(await within(1_000, Promise.resolve('answer')), 'answer')
  const begun = performance.now()
  await t.rejects(within(150, new Promise(() => {})), DeadlineExceeded)
  t.ok(performance.now() - begun >= 145)
})

t.test('a process that is busy with itself does not take the other side for silent', async (t) => {
  /** An answer that takes some turns of the loop to arrive, each of them held up. */
  async function answer() {
    for (let turn = 0; turn < 4; turn++) {
      for (const end = performance.now() + 150; performance.now() < end; );
      await round()
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
    return 'answer'
  }
  t.equal(await within(500, answer()), 'answer')
})
