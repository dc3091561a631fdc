import { insufficientStorage, unavailable } from 'agent-platform'

interface Said {
  readonly name?: string
  readonly $metadata?: { readonly httpStatusCode?: number }
}
const statusOf = (error: unknown) => (error as Said | undefined)?.$metadata?.httpStatusCode

export const isMissing = (error: unknown): boolean => statusOf(error) === 404

/** What a caller may know of it: nothing of addresses, buckets and keys. The cause is logged. */
export const storageFailure = (cause: unknown): Error =>
  statusOf(cause) === 507
    ? insufficientStorage('There is no room left to write', { code: 'disk_full', cause })
    : unavailable('The object storage cannot be reached', { code: 'storage_unavailable', cause })

export const reached = async <T>(answer: Promise<T>): Promise<T> => {
  try {
    return await answer
  } catch (error) {
    throw storageFailure(error)
  }
}
