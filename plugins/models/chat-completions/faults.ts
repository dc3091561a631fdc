import { APICallError } from '@ai-sdk/provider'

/** Characters of a reply that an error keeps. */
const KEPT = 2048
/** Headers that help the reader of the error, and hold no secret. */
const TOLD =
  /^(retry-after|retry-after-ms|content-type|x-request-id|request-id|x-should-retry|x-ratelimit-.*)$/
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

  /** An error object as servers spell it: OpenAI's, a bare string, or fields beside each other. */
  function described(error: unknown) {
    const { message, type, code } = (
      typeof error === 'string' ? { message: error } : (error ?? {})
    ) as Record<string, unknown>
    const word = [code, type].find((it) => typeof it === 'string' && /^[\w.:-]{1,64}$/.test(it))
    const told = { message, type, code }
    for (const name of ['message', 'type', 'code'] as const)
      if (typeof told[name] === 'string') told[name] = clean(told[name])
    return { word: word as string | undefined, code, data: told }
  }

  /** An error object within a reply that began well. */
  function told(error: unknown, body: string) {
    const { word, code, data } = described(error)
    const status = typeof code === 'number' && code >= 400 && code < 600 ? code : undefined
    const name = word ?? status
    return fault(`failed while it answered${name ? ` (${name})` : ''}`, {
      ...(status && { statusCode: status }),
      body,
      data,
      isRetryable: status ? again(status) : !FINAL.test(word ?? '')
    })
  }

  return {
    told,
    /** Another status than 200. */
    status(statusCode: number, headers: Headers, body: string) {
      const { word, data } = described(errorIn(body))
      const isRetryable = again(statusCode) && !/quota|billing/.test(word ?? '')
      return fault(`answered ${statusCode}${word ? ` (${word})` : ''}`, {
        statusCode,
        headers,
        body,
        data,
        isRetryable
      })
    },
    /** No answer at all: no connection, or one that ended before the headers. */
    unreachable(cause: Error) {
      const code = codeOf(cause)
      const final = UNTRUSTED.test(code) ? 'trusted' : HOPELESS.test(code) ? 'asked' : undefined
      return fault(`cannot be ${final ?? 'reached'} (${code})`, { cause, isRetryable: !final })
    },
    /** The connection ended in the middle. */
    cut: (cause?: Error) =>
      fault(`broke off in the middle of its reply${cause ? ` (${codeOf(cause)})` : ''}`, {
        ...(cause && { cause }),
        isRetryable: true
      }),
    empty: () => fault('ended its reply without saying anything', { isRetryable: true }),
    /** Status 200, but nothing like a reply: a wrong address as a rule, or an error that calls itself a success. */
    strange(headers: Headers, body: string) {
      const error = errorIn(body)
      if (error !== undefined) return told(error, body)
      const type = /^[\w.+-]+\/[\w.+-]+/.exec(String(headers['content-type'] ?? ''))?.[0]
      return fault(`answered with ${type ?? 'something'} that is no stream of events`, {
        statusCode: 200,
        headers,
        body,
        isRetryable: false
      })
    },
    garbled: (what: string, body: string) => fault(`sent ${what}`, { body, isRetryable: false })
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

const again = (status: number) => status === 408 || status === 409 || status === 429 || status >= 500

function codeOf(error: Error): string {
  // Several addresses were tried: one error stands for all.
  const { code, errors } = error as NodeJS.ErrnoException & { errors?: NodeJS.ErrnoException[] }
  return code ?? errors?.[0]?.code ?? error.name
}

/** What a body that is JSON says went wrong; undefined when it says nothing of the kind. */
function errorIn(body: string): unknown {
  try {
    const said = JSON.parse(body)
    return said?.error ?? (said?.object === 'error' || said?.detail ? said : undefined)
  } catch {
    return undefined
  }
}

/** Headers as plain strings, those alone that may be shown. */
export function tellable(headers: Headers): Record<string, string> {
  const told: Record<string, string> = {}
  for (const name in headers) if (TOLD.test(name)) told[name] = String(headers[name])
  return told
}
