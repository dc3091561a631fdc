import { fileURLToPath } from 'node:url'
import type { Kernel, Loss } from 'agent-platform'
import {
  createWorkerLane,
  invalid,
  processOf,
  tooLarge,
  unavailable,
  unlessAborted,
  unsupportedMedia
} from 'agent-platform'
import type {
  DocumentFormat,
  Extraction,
  ExtractionLimits,
  FormatInput,
  ImageForm,
  UntrustedDocument
} from './contract.ts'
import { recognise } from './documents.ts'
import type { Answer, Question } from './questions.ts'
import { createReading } from './reading.ts'
import type { ExtractionSettings } from './settings.ts'

interface Deps extends Pick<Kernel, 'points'> {
  settings: ExtractionSettings
}

const worker = new URL('./worker.ts', import.meta.url)
const IDLE_MS = 30_000
/** So many documents pass through one process before another one takes its place. */
const ANSWERS = 200

export function createExtractionService({ points, settings }: Deps): Extraction & { close(): void } {
  const reading = createReading()
  const formats = () => points.all('extraction.format').map(({ value }) => value)
  const lane = createWorkerLane<Question, Answer>({
    start: (hearing) =>
      processOf(worker, {
        memoryMb: settings.memoryMegabytes,
        heapMb: Math.max(256, settings.memoryMegabytes / 2),
        cpuSeconds: ANSWERS * settings.seconds,
        code: codeOf(formats())
      })(hearing),
    lost: lossOf,
    tooMany: 'Too many documents wait to be read',
    most: { ofOwner: 32, ofProject: 128 },
    workers: settings.processes,
    stuckMs: settings.seconds * 1_000,
    idleMs: IDLE_MS,
    answers: ANSWERS
  })

  async function ask(
    by: Parameters<Extraction['text']>[0],
    document: UntrustedDocument,
    limits: ExtractionLimits,
    signal: AbortSignal | undefined,
    wanted: Question['for'],
    form?: ImageForm
  ): Promise<Answer> {
    signal?.throwIfAborted()
    const found = recognise(document, formats())
    if (!found?.format.gives[wanted])
      throw unsupportedMedia(`Cannot extract ${wanted} from files of type ${shown(document.mediaType)}`, {
        code: 'format_unsupported',
        ...(document.param !== undefined && { param: document.param })
      })
    const { format, mediaType, charset } = found
    return reading.during(document, least(limits.bytes, settings.maxBytes), async (bytes) => {
      const input: FormatInput = {
        name: document.name,
        mediaType,
        ...(charset !== undefined && { charset }),
        bytes,
        limits: {
          characters: least(limits.characters, settings.maxCharacters),
          pages: least(limits.pages, settings.maxPages),
          pixels: settings.maxPixels,
          milliseconds: settings.seconds * 500
        },
        ...(form && { form })
      }
      const asked = lane.ask(by, { for: wanted, module: format.module, document: input }, signal)
      return signal ? unlessAborted(signal, asked) : asked
    })
  }

  return {
    async text(by, document, limits = {}, signal) {
      const answer = await ask(by, document, limits, signal, 'text')
      if ('text' in answer) return answer.text
      throw failureOf(answer, document.param)
    },

    async preview(by, document, limits = {}, signal) {
      const answer = await ask(by, document, limits, signal, 'preview')
      if ('preview' in answer) return answer.preview
      throw failureOf(answer, document.param)
    },

    async image(by, document, form, signal) {
      const answer = await ask(by, document, {}, signal, 'image', form)
      if ('image' in answer) return answer.image
      throw failureOf(answer, document.param)
    },

    reads: (document) => ({ ...nothing, ...recognise(document, formats())?.format.gives }),

    close: () => lane.close()
  }
}

const nothing = { text: false, preview: false, image: false }
const least = (asked: number | undefined, most: number) => Math.min(asked ?? most, most)
const shown = (mediaType: string) => JSON.stringify(mediaType.slice(0, 100) || 'application/octet-stream')

/** Folders of formats that other packs bring, and of this version. */
const codeOf = (formats: readonly DocumentFormat[]) =>
  [worker.href, ...formats.map(({ module }) => module)].map((file) => fileURLToPath(new URL('.', file)))

/** A question by which the process was lost is the document's fault; that none could be started is not. */
function lossOf(loss: Loss): Answer {
  if (loss === 'not started')
    throw unavailable('Documents cannot be read: no process for them could be started', {
      code: 'extraction_unavailable'
    })
  const message = loss === 'stuck' ? 'takes too long to be read' : 'takes too much memory to be read'
  return { failure: { code: 'document_too_costly', message } }
}

function failureOf(answer: Answer, param = '') {
  const { code, message } =
    'failure' in answer ? answer.failure : { code: 'document_broken', message: 'is broken' }
  const text = `The document ${message}`
  return code === 'document_too_large' ? tooLarge(text, { code, param }) : invalid(param, text, code)
}
