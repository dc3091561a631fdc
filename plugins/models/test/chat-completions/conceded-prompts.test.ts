import type { LanguageModelV4Prompt } from '@ai-sdk/provider'
import t from 'tap'
import { call, testbed } from './testbed.ts'

interface Message {
  readonly role: string
  readonly content: string | readonly { readonly type: string; readonly text?: string }[]
}
interface Refusal {
  readonly status: number
  readonly body: object | string
}
const said = (message: string) => ({ error: { message, type: 'invalid_request_error' } })
const image = {
  type: 'file' as const,
  mediaType: 'image/png',
  data: { type: 'data' as const, data: 'iVBORw0KGgo=' }
}
const prompt: LanguageModelV4Prompt = [
  { role: 'system', content: 'Be brief.' },
  {
    role: 'user',
    content: [
      { type: 'text', text: 'One' },
      { type: 'text', text: 'Two' }
    ]
  }
]

/** A server that refuses requests in which `isRefused` finds something. */
const refusing = (
  t: Parameters<typeof testbed>[0],
  refusal: Refusal,
  isRefused: (messages: readonly Message[]) => boolean
) =>
  testbed(t, {
    respond: ({ body }, response) => {
      if (!isRefused(body.messages as unknown as Message[])) return
      const { status, body: told } = refusal
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(typeof told === 'string' ? told : JSON.stringify(told))
    }
  })

const hasSystem = (messages: readonly Message[]) => messages.some(({ role }) => role === 'system')
const hasParts = (messages: readonly Message[]) => messages.some(({ content }) => Array.isArray(content))
const hasImage = (messages: readonly Message[]) => JSON.stringify(messages).includes('image_url')

t.test(
  'system text goes into the first message of the user for a server that refuses the role',
  async (t) => {
    const refusals = [
      { status: 400, body: { object: 'error', message: 'System role not supported', code: 400 } },
      { status: 400, body: said('Developer instruction is not enabled for models/gemma-3-27b-it') },
      { status: 400, body: { object: 'error', message: "Unexpected role 'system' after role 'user'" } },
      { status: 500, body: said('Jinja Exception: System role not supported') },
      { status: 422, body: said("This model doesn't support system messages") }
    ]
    for (const refusal of refusals) {
      const { server, model } = await refusing(t, refusal, hasSystem)
      const one = model('any')
      await one.doGenerate(call({ prompt }))
      await one.doGenerate(call({ prompt }))
      t.equal(server.requests.length, 3, `${JSON.stringify(refusal.body)} is remembered`)
      t.match(server.requests.at(-1)?.body.messages, [
        { role: 'user', content: [{ text: 'Be brief.' }, { text: 'One' }, { text: 'Two' }] }
      ])
    }
  }
)

t.test('images are replaced for a server that refuses them', async (t) => {
  const refusals = [
    { status: 404, body: said('No endpoints found that support image input') },
    { status: 400, body: said('m-1 is not a multimodal model: image input is not supported') },
    { status: 500, body: said('image input is not supported - hint: you may need to provide the mmproj') },
    { status: 400, body: said('unknown variant `image_url`, expected `text`') }
  ]
  for (const refusal of refusals) {
    const { server, model } = await refusing(t, refusal, hasImage)
    const one = model('any')
    const seen = call({ prompt: [{ role: 'user', content: [{ type: 'text', text: 'Look' }, image] }] })
    await one.doGenerate(seen)
    await one.doGenerate(seen)
    t.equal(server.requests.length, 3, `${JSON.stringify(refusal.body)} is remembered`)
    t.match(server.requests.at(-1)?.body.messages, [
      { content: [{ text: 'Look' }, { type: 'text', text: /does not accept images/ }] }
    ])
  }
})

t.test('texts of a message become one for a server that accepts only strings', async (t) => {
  const message = 'messages[1]: invalid type: sequence, expected a string at line 1 column 42'
  const { server, model } = await refusing(t, { status: 422, body: said(message) }, hasParts)
  await model('any').doGenerate(call({ prompt }))
  t.match(server.requests.at(-1)?.body.messages, [{ role: 'system' }, { content: 'One\n\nTwo' }])
  const pictured: LanguageModelV4Prompt = [{ role: 'user', content: [{ type: 'text', text: 'Look' }, image] }]
  await model('any').doGenerate(call({ prompt: pictured }))
  t.match(server.requests.at(-1)?.body.messages, [{ content: /^Look\n\n.*does not accept images/ }])
})

t.test('other refusals are not mistaken for these', async (t) => {
  const refusals = [
    { status: 400, body: said('Unsupported parameter: top_k. Contact your system administrator.') },
    { status: 401, body: said('Invalid key') },
    { status: 500, body: 'Internal error' },
    { status: 429, body: said('Rate limit of images reached') }
  ]
  for (const refusal of refusals) {
    const { server, model } = await refusing(t, refusal, () => true)
    await t.rejects(Promise.resolve(model('any').doGenerate(call({ prompt }))))
    t.equal(server.requests.length, 1)
  }
})
