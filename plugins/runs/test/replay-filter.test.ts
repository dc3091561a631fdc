import t from 'tap'
import type { Piece } from '../execute/replay-filter.ts'
import { createReplayFilter, encode } from '../execute/replay-filter.ts'

const answer = (text: string): Piece => ({ phase: 'final_answer', text })
const shown = (pieces: readonly Piece[]) => ({ text: encode(pieces), from: 2, to: 4 })

function retell(before: readonly Piece[], again: readonly Piece[]) {
  const replayFilter = createReplayFilter(shown(before))
  const told = again.map(({ phase, text }) =>
    replayFilter.over ? { pieces: [{ phase, text }], restarted: false } : replayFilter.filter(phase, text)
  )
  told.push(replayFilter.over ? { pieces: [], restarted: false } : replayFilter.end())
  return {
    text: encode(told.flatMap(({ pieces }) => pieces)),
    restarts: told.filter((it) => it.restarted).length
  }
}

t.test('what was seen is held back, and the rest told, however it is cut', async (t) => {
  const text = 'The quick brown fox'
  for (let seen = 1; seen <= text.length; seen++)
    for (let size = 1; size <= text.length; size += 3) {
      const again = text.match(new RegExp(`.{1,${size}}`, 'g')) ?? []
      const { text: rest, restarts } = retell([answer(text.slice(0, seen))], again.map(answer))
      t.equal(rest, seen === text.length ? '' : encode([answer(text.slice(seen))]))
      t.equal(restarts, 0)
    }
})

t.test('what differs is told whole, once', async (t) => {
  t.same(retell([answer('The quick')], [answer('The '), answer('slow'), answer(' fox')]), {
    text: encode([answer('The slow fox')]),
    restarts: 1
  })
  t.same(
    retell([answer('The quick')], [answer('The q')]),
    { text: encode([answer('The q')]), restarts: 1 },
    'shorter'
  )
  t.same(retell([answer('The quick')], []), { text: '', restarts: 1 }, 'nothing at all')
})

t.test('thoughts and the answer are told apart', async (t) => {
  const thought: Piece = { phase: 'commentary', text: 'Hm' }
  t.same(retell([thought, answer('A')], [thought, answer('AB')]), {
    text: encode([answer('B')]),
    restarts: 0
  })
  t.same(retell([thought], [thought, answer('AB')]), { text: encode([answer('AB')]), restarts: 0 })
  t.same(retell([answer('HmA')], [thought, answer('A')]), {
    text: encode([thought, answer('A')]),
    restarts: 1
  })
})
