import t from 'tap'
import { versionsAfter } from '../web/message-versions.ts'

const branch = (id: string, from?: string, messageId: string | null = null) => ({
  id,
  forkedFrom: from === undefined ? null : { sessionId: from, messageId }
})
// s1: a b c d; s2 and s3 replace c and d after b; s4 replaces the first message; s5 continues s2 after its own message x.
const family = [
  branch('s1'),
  branch('s2', 's1', 'b'),
  branch('s3', 's2', 'b'),
  branch('s4', 's1', null),
  branch('s5', 's2', 'x')
]

t.test('a message without forks has one version', async (t) => {
  t.equal(versionsAfter([branch('s1')], 's1', 'b'), undefined)
  t.equal(versionsAfter(family, 's1', 'a'), undefined)
})

t.test('the original and the forks after the same message are its versions, from each of them', async (t) => {
  t.same(versionsAfter(family, 's1', 'b'), { sessionIds: ['s1', 's2', 's3'], shown: 0 })
  t.same(versionsAfter(family, 's2', 'b')?.shown, 1)
  t.same(versionsAfter(family, 's3', 'b'), { sessionIds: ['s1', 's2', 's3'], shown: 2 })
})

t.test('versions of the first message are forks without messages', async (t) => {
  t.same(versionsAfter(family, 's1', null), { sessionIds: ['s1', 's4'], shown: 0 })
  t.same(versionsAfter(family, 's4', null), { sessionIds: ['s1', 's4'], shown: 1 })
})

t.test('a fork of a fork stands for the version that it contains', async (t) => {
  t.same(versionsAfter(family, 's5', 'b'), { sessionIds: ['s1', 's5', 's3'], shown: 1 })
  t.same(versionsAfter(family, 's5', 'x'), { sessionIds: ['s2', 's5'], shown: 1 })
})

t.test('a deleted original is no version', async (t) => {
  const left = family.filter(({ id }) => id !== 's1')
  t.same(versionsAfter(left, 's2', 'b'), { sessionIds: ['s2', 's3'], shown: 0 })
  t.equal(versionsAfter(left, 's4', null), undefined)
})
