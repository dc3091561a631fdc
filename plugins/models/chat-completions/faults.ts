import { APICallError } from '@ai-sdk/provider'
import { classOf } from '../failures/classify.ts'
import type { FailureClass } from '../failures/failure-classes.ts'
import { failureClasses } from '../failures/failure-classes.ts'
import { waitOf } from '../failures/retry-after.ts'
import type { VendorError } from '../failures/vendor-error.ts'
import { vendorErrorIn, vendorErrorOf } from '../failures/vendor-error.ts'

/** Characters of a reply that an error keeps. */
const KEPT = 2048
/** Headers that help the reader of the error, and hold no secret. */
const TOLD =
  /^(retry-after|retry-after-ms|content-type|x-request-id|request-id|x-should-retry|x-ms-retry-after-ms|(x-|anthropic-)?ratelimit-.*)$/
/** What a repetition does not mend, by the code or type of an error. */
const FINAL = /invalid|unsupported|not_found|context_length|quota|billing|policy|filter|auth|permission/i
const UNTRUSTED = /CERT|SELF_SIGNED|UNABLE_TO_|ERR_SSL|ERR_TLS|EPROTO/
/** The connections were closed on purpose, or the request was never one. */
const HOPELESS = /UND_ERR_(DESTROYED|CLOSED|INVALID_ARG|NOT_SUPPORTED)/

export type Headers = Readonly<Record<string, string | string[] | undefined>>
export type Faults = ReturnType<typeof createFaults>

interface About {
  readonly modelProvider: string
  readonly modelId: string
  /** The address that was asked, without secrets. */
  readonly url: string
  /** What must not be seen, should the other side say it back. */
  readonly secrets: readonly string[]
}

/**
 * The errors of one model. Their messages say what happened in words of our own, with a code of the other side's at
 * most: its prose may hold the prompt, and stays in `responseBody` and `data`.
 */
export function createFaults({ modelProvider, modelId, url, secrets }: About) {
  const clean = (text: string) =>
    secrets.reduce((cleaned, secret) => cleaned.replaceAll(secret, '…'), text).slice(0, KEPT)

  function fault(what: string, { body, headers, ...rest }: Details) {
    return new APICallError({
      message: `${modelProvider} ${what}`,
      url,
      requestBodyValues: { model: modelId },
      ...(headers && { responseHeaders: tellable(headers) }),
      ...(body !== undefined && { responseBody: clean(body) }),
      ...rest
    })
  }

  /** What the vendor said, without secrets, and what that comes to. */
  function described(error: VendorError = {}, failure: FailureClass, waitMs: number | undefined) {
    const { message, type, code, status, param } = error
    const word = [code, type].find((it) => typeof it === 'string' && /^[\w.:-]{1,64}$/.test(it))
    const said = { message, type, code, status, param }
    for (const name of ['message', 'type', 'code', 'status', 'param'] as const)
      if (typeof said[name] === 'string') said[name] = clean(said[name] as string)
    return { word, data: { ...said, failure, ...(waitMs !== undefined && { waitMs }) } }
  }

  /** An error object within a reply that began well. */
  function told(told: unknown, body: string) {
    const error = typeof told === 'string' ? { message: told } : vendorErrorIn(told)
    const number = Number(error?.code)
    const status = number >= 400 && number < 600 ? number : undefined
    const known = classOf({ status, error, systemCode: undefined })
    const isFinal = status === undefined && FINAL.test(`${error?.code ?? ''} ${error?.type ?? ''}`)
    const failure = known === 'failed' && isFinal ? 'parameter_rejected' : known
    const { word, data } = described(error, failure, waitOf({ status, headers: {}, error }))
    const name = word ?? status
    return fault(`failed while it answered${name ? ` (${name})` : ''}`, {
      ...(status && { statusCode: status }),
      body,
      data,
      isRetryable: failureClasses[failure].isPassing
    })
  }

  return {
    told,
    /** Another status than 200. */
    status(statusCode: number, headers: Headers, body: string) {
      const error = vendorErrorOf(body)
      const failure = classOf({ status: statusCode, error, systemCode: undefined })
      const { word, data } = described(error, failure, waitOf({ status: statusCode, headers, error }))
      return fault(`answered ${statusCode}${word ? ` (${word})` : ''}`, {
        statusCode,
        headers,
        body,
        data,
        isRetryable: failureClasses[failure].isPassing
      })
    },
    /** No answer at all: no connection, or one that ended before the headers. */
    unreachable(cause: Error) {
      const code = codeOf(cause)
      const final = UNTRUSTED.test(code) ? 'trusted' : HOPELESS.test(code) ? 'asked' : undefined
      return fault(`cannot be ${final ?? 'reached'} (${code})`, {
        cause,
        data: { failure: 'unreachable' },
        isRetryable: !final
      })
    },
    /** The connection ended in the middle. */
    cut: (cause?: Error) =>
      fault(`broke off in the middle of its reply${cause ? ` (${codeOf(cause)})` : ''}`, {
        ...(cause && { cause }),
        data: { failure: 'cut_off' },
        isRetryable: true
      }),
    empty: () =>
      fault('ended its reply without saying anything', { data: { failure: 'cut_off' }, isRetryable: true }),
    /** The model declined, and said nothing else. */
    refused: () => fault('declined to answer', { data: { failure: 'refused' }, isRetryable: false }),
    /** Status 200, but nothing like a reply: a wrong address as a rule, or an error that calls itself a success. */
    strange(headers: Headers, body: string) {
      const error = vendorErrorOf(body)
      if (error !== undefined) return told(error, body)
      const type = /^[\w.+-]+\/[\w.+-]+/.exec(String(headers['content-type'] ?? ''))?.[0]
      return fault(`answered with ${type ?? 'something'} that is no stream of events`, {
        statusCode: 200,
        headers,
        body,
        data: { failure: 'malformed' },
        isRetryable: false
      })
    },
    garbled: (what: string, body: string) =>
      fault(`sent ${what}`, { body, data: { failure: 'malformed' }, isRetryable: false })
  }
}

interface Details {
  readonly statusCode?: number
  readonly headers?: Headers
  readonly body?: string
  readonly data?: unknown
  readonly cause?: unknown
  readonly isRetryable: boolean
}

function codeOf(error: Error): string {
  // Several addresses were tried: one error stands for all.
  const { code, errors } = error as NodeJS.ErrnoException & { errors?: NodeJS.ErrnoException[] }
  return code ?? errors?.[0]?.code ?? error.name
}

/** Headers as plain strings, those alone that may be shown. */
export function tellable(headers: Headers): Record<string, string> {
  const told: Record<string, string> = {}
  for (const name in headers) if (TOLD.test(name)) told[name] = String(headers[name])
  return told
}
