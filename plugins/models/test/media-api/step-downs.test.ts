import type { IncomingMessage, ServerResponse } from 'node:http'
import t from 'tap'
import { Agent } from 'undici'
import { service } from '../../../../test/loopback.ts'
import { createImageModel } from '../../media-api/image.ts'
import { createTranscriptionModel } from '../../media-api/transcription.ts'

const PNG = Buffer.from('89504e470d0a1a0a', 'hex')
const b64 = PNG.toString('base64')
type Answer = (asked: string, reply: ServerResponse, path: string) => unknown

/** A server, and how its models are reached; addresses of others are reached as `guarded` says. */
async function stage(t: Parameters<typeof service>[0], answer: Answer) {
  const asked: string[] = []
  const dispatcher = new Agent()
  t.teardown(() => dispatcher.destroy())
  const { url } = await service(
    t,
    (reply: ServerResponse, { body, path }: { body: string; path: string } & Partial<IncomingMessage>) => {
      if (path.endsWith('.png')) return void reply.end(PNG)
      asked.push(body)
      const said = answer(body, reply, path)
      if (said === undefined) return
      const { error } = Object(said)
      reply.writeHead(error ? 400 : 200, {
        'content-type': typeof said === 'string' ? 'text/plain' : 'application/json'
      })
      reply.end(typeof said === 'string' ? said : JSON.stringify(said))
    }
  )
  const access = { modelProvider: 'test', baseUrl: `${url}/v1`, apiKey: 'key-0123456', dispatcher }
  return { url, asked, dispatcher, access }
}
const drawn = {
  n: 1,
  size: '256x256' as const,
  aspectRatio: undefined,
  seed: undefined,
  files: undefined,
  mask: undefined,
  providerOptions: {}
}
const draw = async (model: ReturnType<typeof createImageModel>, n = 1) =>
  model.doGenerate({ ...drawn, prompt: 'A dot', n })
const unknown = (param: string) => ({
  error: {
    message: `Unknown parameter: '${param}'.`,
    type: 'invalid_request_error',
    param,
    code: 'unknown_parameter'
  }
})

t.test('reads images as base64, as data URLs and at the address of the provider', async (t) => {
  const { url, access } = await stage(t, (asked) => {
    const { model } = JSON.parse(asked)
    return {
      data: [
        model === 'url'
          ? { url: `${url}/p.png`, b64_json: null }
          : model === 'data'
            ? { url: `data:image/png;base64,${b64}` }
            : { b64_json: b64 }
      ]
    }
  })
  for (const name of ['base64', 'data', 'url']) {
    const { images } = await draw(createImageModel(name, access))
    t.same(Buffer.from(images[0] as Uint8Array), PNG, name)
  }
})

t.test('fetches images elsewhere by the rules for addresses of projects only, without the key', async (t) => {
  const seen: unknown[] = []
  const elsewhere = await service(t, (reply: ServerResponse, { headers }: { headers: object }) => {
    seen.push(headers)
    reply.end(PNG)
  })
  const { access, dispatcher } = await stage(t, () => ({ data: [{ url: `${elsewhere.url}/other` }] }))
  await t.rejects(draw(createImageModel('m', access)), { message: /cannot be fetched/ })
  t.same(seen, [])
  const { images } = await draw(createImageModel('m', { ...access, guarded: dispatcher }))
  t.same(Buffer.from(images[0] as Uint8Array), PNG)
  t.notMatch(JSON.stringify(seen), /key-0123456/)
  const odd = await stage(t, () => ({ data: [{ url: 'file:///etc/passwd' }] }))
  await t.rejects(draw(createImageModel('m', { ...odd.access, guarded: dispatcher })), {
    message: /cannot be fetched/
  })
})

t.test('leaves out what a model of images rejects, and remembers what it does not know', async (t) => {
  const { access, asked } = await stage(t, (asked) => {
    const body = JSON.parse(asked)
    for (const name of ['response_format', 'size']) if (body[name]) return unknown(name)
    return { data: [{ b64_json: b64 }] }
  })
  const model = createImageModel('openai/gpt-image-1', access)
  await draw(model)
  t.equal(asked.length, 3)
  await draw(model)
  t.equal(asked.length, 4)
  const { access: refusing, asked: other } = await stage(t, () => ({
    error: { message: 'Your prompt is bad' }
  }))
  await t.rejects(draw(createImageModel('m', refusing)), { message: /answered 400/ })
  t.equal(other.length, 1)
})

t.test('reads a transcription whatever comes beside its text, and steps its format down', async (t) => {
  const audio = { audio: new Uint8Array([1]), mediaType: 'audio/wav', providerOptions: {} }
  const replies: Readonly<Record<string, unknown>> = {
    odd: { text: 'Hello', segments: null, duration: '2.5', language: 7 },
    some: { text: 'Hello', segments: [{ text: 'Hello', start: 0, end: 1 }, { text: 'x' }], duration: 3 },
    text: 'Hello\n',
    json: undefined
  }
  const { access, asked } = await stage(t, (body) => {
    const name = Object.keys(replies).find((it) => body.includes(`"model"\r\n\r\n${it}`)) ?? 'odd'
    if (name !== 'json') return replies[name]
    return body.includes('verbose_json')
      ? {
          error: {
            message: "response_format 'verbose_json' is not compatible with model 'x'",
            param: 'response_format',
            code: 'unsupported_value'
          }
        }
      : { text: 'Hello' }
  })
  const hear = (name: string) => createTranscriptionModel(name, access).doGenerate(audio)
  t.match(await hear('odd'), { text: 'Hello', segments: [], durationInSeconds: 2.5, language: undefined })
  t.match(await hear('some'), {
    text: 'Hello',
    segments: [{ startSecond: 0, endSecond: 1 }],
    durationInSeconds: 3
  })
  t.match(await hear('text'), { text: 'Hello' })
  const before = asked.length
  t.match(await hear('json'), { text: 'Hello' })
  t.equal(asked.length, before + 2)
})
