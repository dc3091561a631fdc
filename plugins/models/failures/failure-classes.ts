import type { failureTypes } from 'agent-platform'

/** Why a model did not answer. */
export type FailureClass =
  | 'rate_limited'
  | 'overloaded'
  | 'quota_exhausted'
  | 'context_too_long'
  | 'unauthorized'
  | 'model_not_found'
  | 'parameter_rejected'
  | 'filtered'
  | 'refused'
  | 'unreachable'
  | 'silent'
  | 'cut_off'
  | 'malformed'
  | 'failed'

interface About {
  /** What clients read. */
  readonly code: string
  /** Decides the HTTP status: what a repetition cannot mend is no 5xx, 408, 409 or 429, which clients repeat. */
  readonly kind: keyof typeof failureTypes
  /** The same request may be answered later. */
  readonly isPassing: boolean
  readonly sentence: string
}

export const failureClasses: Readonly<Record<FailureClass, About>> = {
  rate_limited: {
    code: 'model_rate_limited',
    kind: 'rateLimited',
    isPassing: true,
    sentence: 'The model provider limits the rate of requests'
  },
  overloaded: {
    code: 'model_overloaded',
    kind: 'unavailable',
    isPassing: true,
    sentence: 'The model provider is overloaded'
  },
  quota_exhausted: {
    code: 'model_quota_exhausted',
    kind: 'paymentRequired',
    isPassing: false,
    sentence: 'The quota of the account at the model provider is exhausted'
  },
  context_too_long: {
    code: 'context_exceeded',
    kind: 'invalid',
    isPassing: false,
    sentence: 'The prompt is too long for the model'
  },
  unauthorized: {
    code: 'model_unauthorized',
    kind: 'invalid',
    isPassing: false,
    sentence: 'The model provider rejected its API key'
  },
  model_not_found: {
    code: 'model_not_found',
    kind: 'invalid',
    isPassing: false,
    sentence: 'The model provider does not have the model'
  },
  parameter_rejected: {
    code: 'model_request_rejected',
    kind: 'invalid',
    isPassing: false,
    sentence: 'The model provider rejected the request'
  },
  filtered: {
    code: 'content_filter',
    kind: 'invalid',
    isPassing: false,
    sentence: 'The content filter of the model provider rejected the request'
  },
  refused: {
    code: 'model_refused',
    kind: 'invalid',
    isPassing: false,
    sentence: 'The model refused to answer'
  },
  unreachable: {
    code: 'model_unreachable',
    kind: 'upstream',
    isPassing: true,
    sentence: 'The model provider cannot be reached'
  },
  silent: {
    code: 'model_timeout',
    kind: 'upstreamTimeout',
    isPassing: true,
    sentence: 'The model provider did not answer in time'
  },
  cut_off: {
    code: 'model_cut_off',
    kind: 'upstream',
    isPassing: true,
    sentence: 'The model provider ended its response in the middle'
  },
  malformed: {
    code: 'model_malformed',
    kind: 'upstream',
    isPassing: false,
    sentence: 'The model provider sent a response that is not valid'
  },
  failed: {
    code: 'model_error',
    kind: 'upstream',
    isPassing: true,
    sentence: 'The model provider failed'
  }
}
