import type { Kernel, Principal } from 'agent-platform'
import { conflict, examineSchema, invalid, unavailable } from 'agent-platform'
import type { Model } from '../../models/contract.ts'
import type { Attachment } from '../../sessions/contract.ts'
import type { RunInfo } from '../contract.ts'
import type { Budget } from '../execute/context-budget.ts'
import { charactersIn, describeBudget, IMAGE_CHARACTERS } from '../execute/context-budget.ts'
import { tokensIn } from '../execute/token-estimate.ts'
import type { RunSettings } from '../settings.ts'
import type { Asked } from './asked.ts'
import { checkTokenOrder } from './token-order.ts'

export type RequestParts = ReturnType<typeof createRequestParts>

/** Parts of a body that something else must serve, and what that is called. */
const parts = [
  {
    key: 'attachments',
    needs: 'files',
    wanted: (body: Asked) => (body.attachments?.length ? body.attachments : undefined)
  },
  {
    key: 'computerRequest',
    needs: 'computers',
    wanted: (body: Asked) => (body.computerRequest?.enabled ? body.computerRequest : undefined)
  },
  {
    key: 'provenance',
    needs: 'provenance',
    wanted: ({ provenance }: Asked) =>
      provenance?.mode === 'full' || provenance?.onchain ? provenance : undefined
  }
] as const

/** 400 for what no schema can say, 403 for what a token must not have. */
export function refuseOrder(by: Principal, request: Asked): void {
  const { cliTools = [] } = request
  checkTokenOrder(by, request)
  const names = new Set<string>()
  for (const [index, { name }] of cliTools.entries()) {
    if (names.has(name)) throw invalid(`/cliTools/${index}/name`, `There are two tools ${name}`)
    names.add(name)
  }
}

/** 409 for a run that must not wait for the `others` of its session, or would exceed `maxQueued`. */
export function refuseQueued(others: number, { multitaskStrategy }: Asked, { maxQueued }: RunSettings): void {
  if (others > 0 && multitaskStrategy === 'reject')
    throw conflict('The session has another run', { code: 'session_busy' })
  if (others > maxQueued)
    throw conflict(
      `The session queue is full: at most ${maxQueued} runs can wait (RUN_MAX_QUEUED). Wait for one to finish, or cancel one.`,
      { code: 'session_full' }
    )
}

const PARAMETERS = 65_536
const tooLong = { at: '', text: `must not be longer than ${PARAMETERS} characters` }

/** 400 for parameters of a caller's tool that are no JSON Schema of an object, as those of any other tool. */
export async function checkCliTools(by: Principal, { cliTools = [] }: Asked): Promise<void> {
  for (const [index, { parameters }] of cliTools.entries()) {
    if (parameters === undefined) continue
    const fault =
      JSON.stringify(parameters).length > PARAMETERS
        ? tooLong
        : parameters.type === 'object'
          ? await examineSchema(by, parameters)
          : { at: '/type', text: 'must be "object"' }
    const param = `/cliTools/${index}/parameters${fault?.at}`
    if (fault) throw invalid(param, `${param} ${fault.text}`)
  }
}

/** 400 for one that is no JSON Schema. */
export async function checkAnswerSchema(by: Principal, { answerSchema }: Asked): Promise<void> {
  if (answerSchema === undefined) return
  const isLong = JSON.stringify(answerSchema).length > PARAMETERS
  const fault = isLong ? tooLong : await examineSchema(by, answerSchema)
  if (fault) throw invalid(`/answerSchema${fault.at}`, `/answerSchema${fault.at} ${fault.text}`)
}

/** 400 for a message that no prompt could hold whole. */
export function refuseLarge({ messages }: Asked, budget: Budget): void {
  const index = messages.findIndex(({ content }) => tokensIn(content) > budget.tokens)
  if (index >= 0)
    throw invalid(
      `/messages/${index}/content`,
      `/messages/${index}/content is too long: a prompt can have about ${budget.tokens} tokens. ${describeBudget(budget)}`,
      'context_exceeded'
    )
}

/** Of what the messages of a request leave of the context: the rest is for instructions, tools and what was said before. */
const SHARE_OF_DOCUMENTS = 0.5

const tokensOf = ({ messages }: Asked): number =>
  messages.reduce((sum, { content }) => sum + tokensIn(content), 0)

/** Images belong to what the caller said last itself; 400 where that is nothing. */
function withImages(request: Asked, images: readonly Attachment[]): Asked {
  if (images.length === 0) return request
  const { messages } = request
  const index = messages.findLastIndex(({ role }) => role === 'user')
  const said = messages[index]
  if (!said) throw invalid('/attachments', 'Images belong to a message of the role user, and there is none')
  return { ...request, messages: messages.with(index, { ...said, attachments: images }) }
}

/** What is asked stands last. */
function withDocuments(request: Asked, documents: readonly string[]): Asked {
  if (documents.length === 0) return request
  const { messages } = request
  const given = documents.map((content) => ({ role: 'user', content, untrusted: true }) as const)
  // Nothing stands between a call and what it gave.
  const isResult = messages.at(-1)?.role === 'tool'
  const at = isResult ? messages.findLastIndex(({ role }) => role === 'user') : messages.length - 1
  return { ...request, messages: messages.toSpliced(Math.max(at, 0), 0, ...given) }
}

/** What a run needs of packs that may be off. */
export function createRequestParts({ points }: Pick<Kernel, 'points'>) {
  /** The request with what its parts add. 503 naming the capability that is off, before anything happens; else whatever its
   *  pack says. */
  async function accept(run: RunInfo, request: Asked, model: Model, budget: Budget): Promise<Asked> {
    const documents: string[] = []
    const images: Attachment[] = []
    const room = {
      characters: charactersIn(Math.max(0, budget.tokens - tokensOf(request))) * SHARE_OF_DOCUMENTS,
      imageCharacters: IMAGE_CHARACTERS,
      model
    }
    for (const { key, needs, wanted } of parts) {
      const value = wanted(request)
      if (value === undefined) continue
      const served = points.all('runs.request').filter((part) => part.key === key)
      if (served.length === 0)
        throw unavailable(`${key} needs ${needs}, which is not installed or off`, {
          code: 'capability_missing',
          param: `/${key}`
        })
      for (const part of served) {
        const accepted = await part.value.accept(run, value, room)
        documents.push(...(accepted?.documents ?? []))
        images.push(...(accepted?.images ?? []))
      }
    }
    return withDocuments(withImages(request, images), documents)
  }

  return { accept }
}
