import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client'
import { upstreamFailed, upstreamTimeout } from 'agent-platform'
import { accessNeededOf, causesOf } from './target.ts'

const MOST_CHARACTERS = 500

/** What a server answers instead of a result: its own words, to be shown as such. */
export interface Refusal {
  readonly code: number
  readonly message: string
}

/** Undefined unless the server answered, and with an error. */
export function refusalOf(error: unknown): Refusal | undefined {
  if (!ProtocolError.isInstance(error)) return undefined
  return { code: error.code, message: plain(error.message) }
}

/** A server's words on one line, without what a terminal or a page would act upon. */
export const plain = (text: string): string =>
  text
    .slice(0, 4 * MOST_CHARACTERS)
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
    .slice(0, MOST_CHARACTERS)

const isFailure = (error: Error): boolean => 'kind' in error && typeof error.kind === 'string'

/**
 * What went wrong with a server, as its owner may know it: a 502 or 504 in words of our own, since those of libraries
 * may hold addresses, headers or parts of replies.
 */
export function faultOf(error: unknown, name: string): Error {
  if (accessNeededOf(error))
    return upstreamFailed(`${name} has to be authorized again`, { code: 'server_unauthorized' })
  const failure = causesOf(error).find(isFailure)
  if (failure) return failure
  const refusal = refusalOf(error)
  if (refusal) return upstreamFailed(`${name} refuses: ${refusal.message}`, { code: 'server_refused' })
  if (SdkHttpError.isInstance(error)) {
    if (error.status === 401 || error.status === 403)
      return upstreamFailed(`${name} refuses access`, { code: 'server_unauthorized' })
    return upstreamFailed(`${name} answers with status ${error.status}`)
  }
  if (SdkError.isInstance(error)) return ofSdk(error, name)
  return upstreamFailed(`${name} gave no valid reply`, { cause: new Error('mcp: invalid reply') })
}

function ofSdk(error: SdkError, name: string): Error {
  switch (error.code) {
    case SdkErrorCode.RequestTimeout:
      return upstreamTimeout(`${name} did not answer in time`)
    case SdkErrorCode.ConnectionClosed:
    case SdkErrorCode.NotConnected:
    case SdkErrorCode.SendFailed:
      return upstreamFailed(`The connection to ${name} was closed`)
    case SdkErrorCode.CapabilityNotSupported:
    case SdkErrorCode.MethodNotSupportedByProtocolVersion:
      return upstreamFailed(`${name} cannot do that`)
    case SdkErrorCode.InputRequiredRoundsExceeded:
      return upstreamFailed(`${name} asks too many questions`)
    case SdkErrorCode.ListPaginationExceeded:
      return upstreamFailed(`MCP server ${name} returned too many pages of tools, resources or prompts`)
    default:
      return upstreamFailed(`${name} gave no valid reply`, { cause: new Error(`mcp: ${error.code}`) })
  }
}

/** Statuses by which servers reject a session ID that they do not know. The standard says 404; many answer 400 or 410. */
const SESSION_GONE = new Set([400, 404, 410])

/** The server rejects a request, so it has done nothing, and the reason may be that its session has ended. */
export const isSessionGone = (error: unknown, hadSession: boolean): boolean =>
  causesOf(error).some(
    (it) =>
      SdkHttpError.isInstance(it) && (it.status === 404 || (hadSession && SESSION_GONE.has(it.status ?? 0)))
  )
