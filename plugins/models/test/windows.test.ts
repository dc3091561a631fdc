import t from 'tap'
import { boot } from '../../../test/boot.ts'
import { json } from '../../../test/loopback.ts'
import { modelServer, modelsOf } from '../../../test/models.ts'

const served = {
  data: [
    { id: 'vllm', max_model_len: 8192 },
    {
      id: 'openrouter',
      context_length: 9000,
      top_provider: { context_length: 8192, max_completion_tokens: 512 }
    },
    { id: 'groq', context_window: 8192, max_completion_tokens: 1024 },
    { id: 'mistral', max_context_length: 8192 },
    { id: 'llama.cpp', meta: { n_ctx: 8192, n_ctx_train: 131_072 } },
    { id: 'lm-studio', loaded_context_length: 8192, max_context_length: 131_072 },
    { id: 'text', context_length: '8192' },
    { id: 'nonsense', context_length: -1, max_model_len: 'many', context_window: 1e12, meta: null },
    { id: 'silent' }
  ]
}

t.test('reads the sizes of models as servers spell them, and else as the operator sets them', async (t) => {
  const server = await modelServer(t, (reply) => json(reply, 200, served))
  const env = {
    OPENAI_COMPATIBLE_BASE_URL: `${server.url}/v1`,
    OPENAI_COMPATIBLE_CONTEXT_TOKENS: '4096',
    OPENAI_COMPATIBLE_OUTPUT_TOKENS: '700'
  }
  const models = modelsOf(await boot(t, 'outgoing', 'models', { env }))
  const sizes = async (modelId: string) => {
    const { contextTokens, outputTokens } = await models.resolve('default', {
      modelProvider: 'openai-compatible',
      modelId
    })
    return [contextTokens, outputTokens]
  }
  t.same(await sizes('vllm'), [8192, 700])
  t.same(await sizes('openrouter'), [8192, 512], 'what the provider behind it has')
  t.same(await sizes('groq'), [8192, 1024])
  for (const modelId of ['mistral', 'llama.cpp', 'lm-studio', 'text'])
    t.same(await sizes(modelId), [8192, 700], modelId)
  for (const modelId of ['nonsense', 'silent', 'in no list'])
    t.same(await sizes(modelId), [4096, 700], modelId)
})
