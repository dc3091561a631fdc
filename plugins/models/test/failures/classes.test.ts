import { APICallError } from '@ai-sdk/provider'
import t from 'tap'
import { createFaults } from '../../chat-completions/faults.ts'
import type { FailureClass } from '../../failures/failure-classes.ts'
import { failureClasses } from '../../failures/failure-classes.ts'
import { modelFailureOf } from '../../failures/model-failure.ts'
import { call, chunk, events, faultOf, replying } from '../chat-completions/testbed.ts'

const SECRET = 'sk-secret-0123456789'
const faults = createFaults({ modelProvider: 'test', modelId: 'm', url: 'http://m', secrets: [SECRET] })
const refused = (status: number, body: unknown, headers = {}) =>
  modelFailureOf(faults.status(status, headers, typeof body === 'string' ? body : JSON.stringify(body)))

/** Refusals as vendors document or send them. */
const refusals: Readonly<Record<FailureClass, readonly (readonly [status: number, body: unknown])[]>> = {
  rate_limited: [
    [
      429,
      { error: { message: 'Rate limit reached for gpt-5', type: 'requests', code: 'rate_limit_exceeded' } }
    ],
    [
      429,
      { type: 'error', error: { type: 'rate_limit_error', message: 'Number of request tokens exceeded' } }
    ],
    [429, ''],
    [400, { __type: 'ThrottlingException', message: 'Throttled: too many requests' }],
    [
      429,
      {
        error: {
          code: 429,
          status: 'RESOURCE_EXHAUSTED',
          message: 'You exceeded your current quota, please check your plan and billing details.',
          details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '38s' }]
        }
      }
    ]
  ],
  overloaded: [
    [529, { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }],
    [503, { error: { code: 503, message: 'The model is overloaded.', status: 'UNAVAILABLE' } }],
    [429, { error: { message: 'The engine is currently overloaded', type: 'engine_overloaded_error' } }],
    [503, '<html>Service Unavailable</html>'],
    [500, { error: { message: 'Server is busy, please try again later' } }]
  ],
  quota_exhausted: [
    [
      429,
      {
        error: {
          message: 'You exceeded your current quota',
          type: 'insufficient_quota',
          code: 'insufficient_quota'
        }
      }
    ],
    [402, { error: { message: 'Insufficient Balance', type: 'unknown_error' } }],
    [
      400,
      { type: 'error', error: { type: 'invalid_request_error', message: 'Your credit balance is too low' } }
    ],
    [429, { error: { type: 'exceeded_current_quota_error', message: 'Your account is suspended' } }],
    [
      429,
      {
        error: {
          code: 429,
          status: 'RESOURCE_EXHAUSTED',
          message: 'You exceeded your current quota. Please retry in 20s.',
          details: [{ violations: [{ quotaId: 'GenerateRequestsPerDayPerProjectPerModel-FreeTier' }] }]
        }
      }
    ]
  ],
  context_too_long: [
    [
      400,
      {
        error: {
          message: "This model's maximum context length is 8192 tokens",
          code: 'context_length_exceeded'
        }
      }
    ],
    [
      400,
      {
        error: {
          code: 400,
          message: 'the request exceeds the available context size',
          type: 'exceed_context_size_error'
        }
      }
    ],
    [400, { object: 'error', message: 'Prompt contains 40000 tokens, too large for model', code: '3051' }],
    [
      400,
      [
        {
          error: {
            code: 400,
            message: 'The input token count (12) exceeds the maximum number of tokens allowed (9).'
          }
        }
      ]
    ],
    [
      400,
      {
        type: 'error',
        error: { type: 'invalid_request_error', message: 'prompt is too long: 9 tokens > 8 maximum' }
      }
    ],
    [
      413,
      {
        error: {
          message: 'Request too large for model `x` on tokens per minute',
          code: 'rate_limit_exceeded'
        }
      }
    ],
    [400, { message: 'Input is too long for requested model.' }]
  ],
  unauthorized: [
    [401, { error: { message: 'Incorrect API key provided', code: 'invalid_api_key' } }],
    [
      400,
      [
        {
          error: {
            code: 400,
            message: 'API key not valid. Please pass a valid API key.',
            status: 'INVALID_ARGUMENT'
          }
        }
      ]
    ],
    [403, { type: 'error', error: { type: 'permission_error', message: 'No access' } }],
    [401, { detail: 'Not authenticated' }]
  ],
  model_not_found: [
    [404, { error: { message: "model 'x' not found, try pulling it first", type: 'api_error' } }],
    [400, { error: { message: 'x is not a valid model ID', code: 400 } }],
    [404, { type: 'error', error: { type: 'not_found_error', message: 'model: claude-x' } }],
    [404, '404 page not found']
  ],
  parameter_rejected: [
    [
      400,
      { error: { message: "Unsupported parameter: 'top_p'", param: 'top_p', code: 'unsupported_parameter' } }
    ],
    [
      422,
      { detail: [{ type: 'extra_forbidden', loc: ['body', 'seed'], msg: 'Extra inputs are not permitted' }] }
    ],
    [400, { error: { message: 'gemma3:latest does not support tools', type: 'api_error' } }]
  ],
  filtered: [
    [400, { error: { message: 'The response was filtered', code: 'content_filter' } }],
    [400, { error: { message: 'Content Exists Risk', type: 'invalid_request_error' } }],
    [403, { error: { code: 403, message: 'Input was flagged', metadata: { reasons: ['violence'] } } }]
  ],
  refused: [],
  unreachable: [
    [502, '<html>Bad Gateway</html>'],
    [521, 'Web server is down']
  ],
  silent: [
    [504, ''],
    [408, ''],
    [524, '<html>A timeout occurred</html>']
  ],
  cut_off: [],
  malformed: [[301, '']],
  failed: [
    [500, { error: { message: 'The server had an error', type: 'server_error' } }],
    [409, '']
  ]
}

for (const [name, list] of Object.entries(refusals))
  t.test(`classifies refusals as ${name}`, async (t) => {
    for (const [status, body] of list) {
      const failure = refused(status, body)
      const { code, kind, isPassing } = failureClasses[name as FailureClass]
      t.match(failure, { class: name, code, kind, isPassing }, JSON.stringify(body).slice(0, 120))
      t.ok(failure.message.includes(`(${status})`), failure.message)
    }
  })

t.test('gives the same class to errors of the clients of vendors', async (t) => {
  const thrown = (statusCode: number, body: object, isRetryable: boolean) =>
    modelFailureOf(
      new APICallError({
        ...{
          message: 'As the client says it',
          url: 'http://m',
          requestBodyValues: {},
          statusCode,
          isRetryable
        },
        responseBody: JSON.stringify(body),
        data: body
      })
    )
  for (const [name, list] of Object.entries(refusals))
    for (const [status, body] of list)
      if (typeof body === 'object')
        t.equal(thrown(status, body as object, false).class, name, JSON.stringify(body))
})

t.test('classifies errors in the middle of a stream, and those of connections', async (t) => {
  t.match(modelFailureOf({ type: 'overloaded_error', message: 'Overloaded' }), {
    ...{ class: 'overloaded', isPassing: true, message: /Overloaded/ }
  })
  t.match(modelFailureOf(faults.told({ code: 429, message: 'Slow down' }, '')), { class: 'rate_limited' })
  t.match(modelFailureOf(faults.told('broken', '')), { class: 'failed', isPassing: true, message: /broken/ })
  t.match(modelFailureOf(faults.told({ type: 'invalid_request_error' }, '')), { isPassing: false })
  const away = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })
  t.match(modelFailureOf(faults.unreachable(away)), {
    class: 'unreachable',
    message: /ECONNREFUSED/,
    isPassing: true
  })
  t.match(modelFailureOf(away), { class: 'unreachable' })
  t.match(modelFailureOf(new Error('terminated', { cause: { code: 'UND_ERR_SOCKET' } })), {
    class: 'cut_off'
  })
  const untrusted = Object.assign(new Error('x'), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' })
  t.match(modelFailureOf(faults.unreachable(untrusted)), { class: 'unreachable', isPassing: false })
  t.match(modelFailureOf(faults.cut()), { class: 'cut_off' })
  t.match(modelFailureOf(faults.strange({ 'content-type': 'text/html' }, '<html>')), { class: 'malformed' })
  for (const odd of [undefined, null, 'text', 7, {}, new Error('')])
    t.match(modelFailureOf(odd), { class: 'failed' })
})

t.test('reports what the vendor said, on one line, cut, and without secrets', async (t) => {
  const said = `Key ${SECRET}\nis wrong ${'and so on '.repeat(100)}`
  const { message } = refused(401, { error: { message: said } })
  t.match(message, /^The model provider rejected its API key \(401\): Key … is wrong and so on/)
  t.notOk(message.includes(SECRET))
  t.ok(message.length < 400, `${message.length}`)
  const behind = {
    error: {
      code: 502,
      message: 'Provider returned error',
      metadata: { raw: '{"error":{"message":"No GPU"}}' }
    }
  }
  t.match(refused(502, behind).message, /Provider returned error: No GPU/)
})

t.test('a model that declines without a word has refused', async (t) => {
  const model = await replying(t, events(chunk({}, 'refusal')))
  t.match(modelFailureOf(await faultOf(model.doStream(call()))), {
    class: 'refused',
    code: 'model_refused',
    isPassing: false
  })
  const words = await replying(t, events(chunk({ content: 'No' }), chunk({}, 'refusal')))
  t.match(await words.doGenerate(call()), { finishReason: { unified: 'content-filter' } })
})

t.test('obeys x-should-retry', async (t) => {
  t.match(refused(500, '', { 'x-should-retry': 'false' }), { isPassing: false })
  t.match(refused(500, ''), { isPassing: true })
})
