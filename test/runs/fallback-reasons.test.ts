import t from 'tap'
import { modelFailureOf } from '../../plugins/models/failures/model-failure.ts'
import { fallbackReason } from '../../plugins/runs/execute/fallback-reasons.ts'

t.test('a failure is a reason for another model by its class', (t) => {
  const ofResponse = (statusCode: number, responseBody = '') =>
    fallbackReason(modelFailureOf({ statusCode, responseBody, message: responseBody }))
  for (const [statusCode, said, reason] of [
    [
      429,
      '{"error":{"code":"insufficient_quota","message":"You exceeded your current quota"}}',
      'quota_exhausted'
    ],
    [
      400,
      '{"error":{"message":"Your credit balance is too low to access the Anthropic API."}}',
      'quota_exhausted'
    ],
    [402, '', 'quota_exhausted'],
    [429, '', 'rate_limited'],
    [529, '', 'unavailable'],
    [500, '', 'unavailable'],
    [400, '{"error":{"message":"The content was flagged","code":"content_filter"}}', undefined],
    [400, '{"error":{"message":"The prompt is too long","code":"context_length_exceeded"}}', undefined],
    [401, '', undefined],
    [404, '', undefined]
  ] as const)
    t.equal(ofResponse(statusCode, said), reason, `${statusCode} ${said}`)
  for (const error of [new Error('of the platform'), { code: 'toString' }, undefined])
    t.equal(fallbackReason(error), undefined)
  t.end()
})
