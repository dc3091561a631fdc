/** What a model may call in these tests. */
export const tools = [
  {
    type: 'function' as const,
    name: 'search',
    description: 'Finds things',
    inputSchema: { type: 'object' as const, properties: { query: { type: 'string' as const } } }
  }
]

const anthropicReply = [
  {
    type: 'message_start',
    message: {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'claude-sonnet-5-5',
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: {
        input_tokens: 12,
        cache_read_input_tokens: 4,
        cache_creation_input_tokens: 0,
        output_tokens: 1
      }
    }
  },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Let me' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: ' look.' } },
  { type: 'content_block_stop', index: 0 },
  {
    type: 'content_block_start',
    index: 1,
    content_block: { type: 'tool_use', id: 'toolu_1', name: 'search', input: {} }
  },
  { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: '{"query":' } },
  { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: '"tea"}' } },
  { type: 'content_block_stop', index: 1 },
  {
    type: 'message_delta',
    delta: { stop_reason: 'tool_use', stop_sequence: null },
    usage: { output_tokens: 9 }
  },
  { type: 'message_stop' }
]

const googleReply = [
  { candidates: [{ index: 0, content: { role: 'model', parts: [{ text: 'Let me' }] } }] },
  { candidates: [{ index: 0, content: { role: 'model', parts: [{ text: ' look.' }] } }] },
  {
    candidates: [
      {
        index: 0,
        content: { role: 'model', parts: [{ functionCall: { name: 'search', args: { query: 'tea' } } }] },
        finishReason: 'STOP'
      }
    ],
    usageMetadata: {
      promptTokenCount: 16,
      cachedContentTokenCount: 4,
      candidatesTokenCount: 9,
      totalTokenCount: 25
    }
  }
]

const chunk = (delta: object, rest: object = {}) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'gpt-5.4-mini',
  choices: [{ index: 0, delta, finish_reason: null, ...rest }]
})
const call = (part: object) => chunk({ tool_calls: [{ index: 0, ...part }] })
const openaiReply = [
  chunk({ role: 'assistant', content: 'Let me' }),
  chunk({ content: ' look.' }),
  call({ id: 'call_1', type: 'function', function: { name: 'search', arguments: '{"query":' } }),
  call({ function: { arguments: '"tea"}' } }),
  chunk({}, { finish_reason: 'tool_calls' }),
  {
    ...chunk({}),
    choices: [],
    usage: {
      prompt_tokens: 16,
      completion_tokens: 9,
      total_tokens: 25,
      prompt_tokens_details: { cached_tokens: 4 }
    }
  }
]

/** How each vendor is asked, and what it replies: a text, a call of that tool, and usage; or a refusal. */
export const vendors = {
  openai: {
    header: 'authorization',
    credential: 'Bearer key-of-operator',
    path: '/chat/completions',
    reply: openaiReply,
    refusal: { error: { type: 'invalid_request_error', message: 'invalid key key-of-project' } }
  },
  anthropic: {
    header: 'x-api-key',
    credential: 'key-of-operator',
    path: '/messages',
    reply: anthropicReply,
    refusal: {
      type: 'error',
      error: { type: 'authentication_error', message: 'invalid key key-of-project' }
    }
  },
  google: {
    header: 'x-goog-api-key',
    credential: 'key-of-operator',
    path: '/models/gemini-3.8-flash:streamGenerateContent?alt=sse',
    reply: googleReply,
    refusal: {
      error: { code: 401, message: 'invalid key key-of-project', status: 'UNAUTHENTICATED' }
    }
  }
}
