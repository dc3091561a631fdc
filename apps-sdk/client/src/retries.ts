import { ApiError, ConnectionError } from './errors.ts'

/** A server that asks to wait longer is not waited for: the caller decides. */
const LONGEST_SECONDS = 30
const FIRST_MS = 200
const LAST_MS = 5_000
/** Of status 503, but no sooner over for waiting. */
const LASTING = new Set(['capability_missing', 'model_not_configured'])

/** Whether the same request may well succeed a little later. */
export function mayPass(error: unknown): boolean {
  if (error instanceof ConnectionError) return true
  // The outcome of a run that was accepted is its outcome, however often it is asked for.
  if (!(error instanceof ApiError) || error.runId !== undefined) return false
  const { status, type, code = '', retryAfter = 0 } = error
  if (retryAfter > LONGEST_SECONDS) return false
  if (status === 429) return true
  if (status === 503) return !LASTING.has(code)
  return isRunning(error) || (type === 'unexpected_reply' && (status === 502 || status === 504))
}

/** The first request with this key is still being answered: its reply will be the reply to this one. */
export const isRunning = (error: unknown): boolean =>
  error instanceof ApiError && error.status === 409 && error.code === 'idempotency_in_progress'

/** How long to wait before the try after `tries` others, in milliseconds. */
export function pauseAfter(error: unknown, tries: number): number {
  const asked = error instanceof ApiError ? error.retryAfter : undefined
  const most = Math.min(LAST_MS, FIRST_MS * 2 ** (tries - 1))
  return Math.max(most * (0.5 + Math.random() / 2), (asked ?? 0) * 1000)
}

/** Resolves after that time; rejects with the signal's reason when it is aborted before. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const leave = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', leave)
      resolve()
    }, ms)
    signal?.addEventListener('abort', leave, { once: true })
  })
}

/** So long is waited for a first request with the same key; that counts as no try. */
const RUNNING_MS = 60_000

/** Does it, and up to `retries` times again while what went wrong may pass. */
export async function retrying<T>(
  work: () => Promise<T>,
  { retries, signal }: { readonly retries: number; readonly signal?: AbortSignal | undefined }
): Promise<T> {
  const until = Date.now() + RUNNING_MS
  let failed = 0
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      const goesOn = isRunning(error) && retries > 0 ? Date.now() < until : failed++ < retries
      if (!goesOn || !mayPass(error)) throw error
      await pause(pauseAfter(error, tries), signal)
    }
  }
}
