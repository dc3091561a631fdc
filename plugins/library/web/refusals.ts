import { ApiError } from 'agent-platform-client'

/** Why an upload was refused, and what helps. */
export function refusalOf(error: unknown): string {
  if (!(error instanceof ApiError))
    return 'The connection broke off. A file that is too large may end it, too.'
  switch (error.status) {
    case 413:
      return `${error.message}. Upload a smaller one, or have the operator raise the limit.`
    case 507:
      return `${error.message}. Delete files that are no longer needed, or have the operator raise the quota.`
    default:
      return error.requestId ? `${error.message} (request ${error.requestId})` : error.message
  }
}
