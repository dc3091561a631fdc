import t from 'tap'
import { createWholeCharacters } from '../execute/whole-characters.ts'

const read = (...pieces: (readonly ['commentary' | 'final_answer', string])[]) => {
  const { add } = createWholeCharacters()
  return pieces.map(([phase, text]) => add(phase, text))
}

t.test('holds back half of a character until the other half has come', async (t) => {
  t.same(read(['final_answer', 'Hi \ud83d'], ['final_answer', '\ude00 there']), ['Hi ', '😀 there'])
  t.same(read(['final_answer', '\ud83d'], ['final_answer', ''], ['final_answer', '\ude00']), ['', '', '😀'])
  t.same(read(['final_answer', '😀\ud83d'], ['final_answer', '\ude00\ud83d'], ['final_answer', '\ude00']), [
    '😀',
    '😀',
    '😀'
  ])
  t.same(read(['final_answer', 'plain'], ['final_answer', '😀']), ['plain', '😀'])
})

t.test('leaves out a half whose other half never comes', async (t) => {
  t.same(read(['commentary', 'Hm\ud83d'], ['final_answer', 'Yes']), ['Hm', 'Yes'])
})
