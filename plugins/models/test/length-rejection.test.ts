import t from 'tap'
import { lengthRejection } from '../length-rejection.ts'

const refused = (responseBody: string, statusCode?: number) =>
  lengthRejection({ message: 'It was refused', responseBody, ...(statusCode && { statusCode }) })

/** As vendors and servers word it, with the window and the size that can be read from it. */
const rejections: readonly (readonly [text: string, contextTokens?: number, promptTokens?: number])[] = [
  [
    "This model's maximum context length is 8192 tokens. However, your messages resulted in 9023 tokens.",
    8_192,
    9_023
  ],
  ['Your input exceeds the context window of this model. Please adjust your input and try again.'],
  ['{"error":{"code":"context_length_exceeded"}}'],
  ['{"type":"exceed_context_size_error","n_prompt_tokens":9000,"n_ctx":4096}', 4_096, 9_000],
  [
    "This model's maximum context length is 4096 tokens. However, you requested 9000 tokens (8000 in the messages, 1000 in the completion).",
    4_096,
    9_000
  ],
  ['The decoder prompt (length 9000) is longer than the maximum model length of 4096.', 4_096, 9_000],
  ['Prompt contains 40000 tokens, too large for model with 32768 maximum context length', 32_768, 40_000],
  [
    'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
    1_048_576,
    1_200_000
  ],
  ['prompt is too long: 214676 tokens > 200000 maximum', 200_000, 214_676],
  ['prompt is too long: 214,676 tokens > 200,000 maximum', 200_000, 214_676],
  [
    'input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000, decrease input length or `max_tokens`',
    200_000,
    188_240
  ],
  ['Input is too long for requested model.'],
  ["This model's maximum prompt length is 131072 but the request contains 537812 tokens.", 131_072, 537_812],
  [
    "This endpoint's maximum context length is 131072 tokens. However, you requested about 140000 tokens.",
    131_072,
    140_000
  ],
  ["Input length (265330) exceeds model's maximum context length (262144).", 262_144, 265_330],
  ['Input length 131393 exceeds the maximum allowed input length of 131040 tokens.', 131_040, 131_393],
  ['Invalid request: Your request exceeded model token limit: 262144 (requested: 269030)', 262_144, 269_030],
  ['too many tokens: total number of tokens in the prompt cannot exceed 4081 - received 5000', 4_081, 5_000],
  [
    '`inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000 `inputs` tokens and 1000 `max_new_tokens`',
    4_096,
    5_000
  ],
  ['The number of tokens to keep from the initial prompt is greater than the context length.'],
  ['prompt token count of 60000 exceeds the limit of 32768', 32_768, 60_000],
  [
    'Please reduce the length of the messages or completion. Current length is 9000 while limit is 8192',
    8_192,
    9_000
  ],
  ['Request body too large for gpt-4o model. Max size: 8000 tokens. tokens_limit_reached', 8_000],
  ['Prompt too long: 5152 tokens exceeds max_seq_len 2048 (leave room for output tokens)', 2_048, 5_152],
  ['invalid params, context window exceeds limit (2013)'],
  ['Range of input length should be [1, 30720]'],
  ['Prompt 超长']
]

t.test('recognizes a rejection for length in the words of each vendor, with the sizes in it', async (t) => {
  for (const [text, contextTokens, promptTokens] of rejections)
    t.same(
      refused(text, 400),
      { ...(contextTokens && { contextTokens }), ...(promptTokens && { promptTokens }) },
      text
    )
})

t.test('recognizes it without a status, and by status 413 without words', async (t) => {
  t.ok(refused('prompt is too long'), 'within a stream')
  t.same(refused('', 413), {})
})

t.test('takes no other failure for one of length', async (t) => {
  for (const [text, status] of [
    [
      "'max_tokens' or 'max_completion_tokens' is too large: 5000. This model's maximum context length is 4096 tokens",
      400
    ],
    ['max_tokens is too large: 100000. This model supports at most 16384 completion tokens', 400],
    ['Request too large for gpt-4o on tokens per minute (TPM): Limit 30000, Requested 40000', 413],
    ['Too many tokens, please wait before trying again.', 400],
    ['prompt is too long', 429],
    ['schema is too long', 400],
    ['Incorrect API key provided', 401],
    ['temperature exceeds maximum allowed value', 400]
  ] as const)
    t.equal(refused(text, status), undefined, text)
  t.equal(lengthRejection(undefined), undefined)
  t.equal(lengthRejection(new Error('socket hang up')), undefined)
})
