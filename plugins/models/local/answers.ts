import type { LanguageModelV4Prompt } from '@ai-sdk/provider'
import { textOf } from './reading.ts'

const common = new Set(
  (
    'a an and are as at be by can could did do does for from had has have how i in is it its me my of on or our ' +
    'please so tell than that the their them then there these they this to us was we were what when where which ' +
    'who whom whose why will with would you your'
  ).split(' ')
)
const asks = /\?\s*$|^\s*(?:who|what|when|where|which|whose|why|how)\b/i
const LONG = 300
const FIRST_WORDS = 30

/** What the local model says to a message: the sentence before it that has most of its words, or an echo. */
export function answer(asked: string, before: LanguageModelV4Prompt): string {
  const text = asked.trim()
  if (text === '') return 'You said nothing.'
  if (!asks.test(text)) return `You said: ${brief(text)}`
  return bestSentence(text, before) ?? `I found nothing about that in my context. You asked: ${brief(text)}`
}

function brief(text: string): string {
  if (text.length <= LONG) return text
  const words = text.split(/\s+/)
  return `${words.slice(0, FIRST_WORDS).join(' ')} … (${words.length} words)`
}

/** Of two that have as many of the words, what others said beats what this model said, and then the later. */
function bestSentence(question: string, before: LanguageModelV4Prompt): string | undefined {
  const wanted = new Set(wordsOf(question))
  if (wanted.size === 0) return ofItself(before)
  let best: { sentence: string; score: number } | undefined
  for (const message of before)
    for (const sentence of sentencesOf(textOf(message))) {
      if (asks.test(sentence)) continue
      const shared = new Set(wordsOf(sentence)).intersection(wanted).size
      if (shared === 0) continue
      const score = shared + (message.role === 'assistant' ? 0 : 0.5)
      if (!best || score >= best.score) best = { sentence, score }
    }
  return best?.sentence
}

/** What it was told to say of itself, to a question such as "What can you do?", of which no word carries meaning. */
const ofItself = (before: LanguageModelV4Prompt): string | undefined =>
  before
    .filter(({ role }) => role === 'system')
    .flatMap((message) => sentencesOf(textOf(message)))
    .find((sentence) => /^I\b/.test(sentence))

const sentencesOf = (text: string) =>
  text
    .split(/(?<=[.!?])\s+|\n+/)
    .map((sentence) => sentence.trim())
    .filter(Boolean)

/** Those that carry meaning, without the commonest endings, so that `books` finds `book`. */
const wordsOf = (text: string) =>
  (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])
    .filter((word) => !common.has(word))
    .map((word) => (word.length > 4 ? word.replace(/(?:ing|ed|es|s|e)$/, '') : word))
