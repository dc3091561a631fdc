import type { FormatModule } from './contract.ts'
import type { Answer, Question } from './questions.ts'
import { finishedPreview, finishedText } from './results.ts'

// The process for documents: one question at a time, each answered with one message.

const CODES = new Set([
  'document_broken',
  'document_encrypted',
  'encoding_unknown',
  'document_too_large',
  'document_too_costly'
])

async function answerTo({ for: wanted, module, document }: Question): Promise<Answer> {
  const format = (await import(module)) as FormatModule
  const { limits, form } = document
  if (wanted === 'text' && format.text) return { text: finishedText(await format.text(document), limits) }
  if (wanted === 'preview' && format.preview)
    return { preview: finishedPreview(await format.preview(document)) }
  if (wanted === 'image' && format.image && form) return { image: await format.image({ ...document, form }) }
  return { failure: { code: 'document_broken', message: `has no ${wanted}` } }
}

/** What is not said by a format is not told: messages of libraries may quote the document, or name files. */
function failureOf(error: unknown): Answer {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown }
  if (typeof code === 'string' && CODES.has(code))
    return { failure: { code, message: String(message).slice(0, 300) } }
  if (error instanceof RangeError && /call stack/.test(error.message))
    return { failure: { code: 'document_too_costly', message: 'has too much within each other' } }
  if (
    error instanceof Error &&
    /^R(ange|untime)Error$/.test(error.name) &&
    /memory|invalid.{0,99}length/i.test(error.message)
  )
    return { failure: { code: 'document_too_costly', message: 'takes too much memory to be read' } }
  return { failure: { code: 'document_broken', message: 'is broken, or of another format than it says' } }
}

process.on('message', async (question: Question) => {
  process.send?.(await answerTo(question).catch(failureOf))
})
process.on('disconnect', () => process.exit())
// A library that throws where nothing waits for it has broken off its document: the next process is a clean one.
process.on('unhandledRejection', () => process.exit(1))
process.send?.('ready')
