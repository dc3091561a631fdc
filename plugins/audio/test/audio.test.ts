// budget: 15 s, because a model listens to five recordings
// tier: whole
import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import t from 'tap'
import { boot } from '../../../test/boot.ts'
import { json } from '../../../test/loopback.ts'
import { modelServer } from '../../../test/models.ts'
import { bodyOf, FORM, part, upload } from '../../../test/uploads.ts'
import { srt, vtt } from '../subtitles.ts'
import { weights } from '../transcription/moonshine.ts'
import { pieces, RATE } from '../transcription/samples.ts'

const has = (work: () => unknown) => {
  try {
    work()
    return true
  } catch {
    return false
  }
}
const isModel = has(weights) || 'the model is not installed'
const isSpeech = has(() => execFileSync('espeak-ng', ['--version'])) || 'espeak-ng is not installed'

const env = { OUTGOING_ALLOW: '127.0.0.1', AUDIO_SECONDS: '30', AUDIO_BYTES: '400000' }
const booted = await boot(t, 'audio', 'providers', 'files', { env })
const { as, settled, platform, url } = booted
const { knex } = platform
const [ada, eve] = [as('ada'), as('eve')]
const refuses = (status: number, code?: string, param?: string) => ({
  status,
  body: { error: { ...(code && { code }), ...(param !== undefined && { param }) } }
})
const PATH = '/v1/audio/transcriptions'
const recording = (name: string) =>
  readFile(new URL(`../../../test/fixtures/recordings/${name}`, import.meta.url))
const SAID = 'the quick brown fox jumps over the lazy dog please call me tomorrow at nine in the morning'
/** Words that are wrong, missing or too many, against those that were said (Levenshtein). */
function wordErrors(written: string): number {
  const said = SAID.split(' ')
  const words =
    written
      .toLowerCase()
      .replaceAll('9', 'nine')
      .match(/[a-z]+/g) ?? []
  let row = words.map((_, at) => at + 1)
  for (const [index, word] of said.entries()) {
    let [before, left] = [index, index + 1]
    row = words.map((it, at) => {
      const above = row[at] ?? 0
      const best = Math.min(above + 1, left + 1, before + (it === word ? 0 : 1))
      ;[before, left] = [above, best]
      return best
    })
  }
  return (row.at(-1) ?? said.length) / said.length
}
/** A WAV file of that many seconds, of 8 bits at 8 kHz. */
function silence(seconds: number): Buffer {
  const size = seconds * 8_000
  const file = Buffer.alloc(44 + size, 128)
  file.write('RIFF', 0)
  file.writeUInt32LE(36 + size, 4)
  file.write('WAVEfmt ', 8)
  file.writeUInt32LE(16, 16)
  file.writeUInt16LE(1, 20)
  file.writeUInt16LE(1, 22)
  file.writeUInt32LE(8_000, 24)
  file.writeUInt32LE(8_000, 28)
  file.writeUInt16LE(1, 32)
  file.writeUInt16LE(8, 34)
  file.write('data', 36)
  file.writeUInt32LE(size, 40)
  return file
}
const skipless = (reason: true | string) => (reason === true ? {} : { skip: reason })

t.test('a recording is written down offline, whatever it is packed in', skipless(isModel), async (t) => {
  for (const name of ['fox.wav', 'fox.mp3', 'fox-vorbis.ogg', 'fox-opus.ogg', 'fox.webm']) {
    const reply = await upload(ada, [part(name, await recording(name))], {}, PATH)
    t.match(
      reply,
      { status: 200, body: { data: { modelProvider: 'moonshine', modelId: 'moonshine-tiny' } } },
      name
    )
    t.ok(wordErrors(reply.body.data.text) <= 0.25, `${name}: ${reply.body.data.text}`)
  }
  const bytes = await recording('fox.wav')
  const asked = async (name: string) => {
    const field = { name: '', bytes: name, field: 'response_format' }
    const body = bodyOf([part('a.wav', bytes), field])
      .toString('latin1')
      .replace('; filename=""', '')
    return ada.request('POST', PATH, { body: Buffer.from(body, 'latin1'), headers: FORM })
  }
  const verbose = (await asked('verbose_json')).body.data
  t.match(verbose, { language: 'en', segments: [{ id: 0, start: 0, text: /fox/ }] })
  t.ok(Math.abs(verbose.duration - verbose.segments[0].end) < 0.1)
  t.match(await asked('text'), { status: 200, text: /fox.*\n$/ })
  const subtitles = await asked('vtt')
  t.match(subtitles.text, /^WEBVTT\n\n00:00:00\.000 --> 00:00:0\d\.\d{3}\n.*fox/)
  t.match(subtitles.headers.get('content-type'), /text\/vtt/)
  t.match((await asked('srt')).text, /^1\n00:00:00,000 --> /)

  const stored = await upload(ada, [part('fox.mp3', await recording('fox.mp3'))])
  const { id: fileId } = stored.body.data
  t.match((await ada.post(PATH, { fileId })).body.data, { text: /fox/ })
  t.match(await eve.post(PATH, { fileId }), refuses(403, 'not_owner', '/fileId'))
  t.match(await ada.post(PATH, { fileId: 'file_none' }), refuses(404, undefined, '/fileId'))
  await settled()
  const facts = await knex('kernel.fact').where({ name: 'audio.transcribed' })
  t.ok(facts.length >= 6)
  t.notMatch(JSON.stringify(facts), /fox/)
})

t.test('what is no recording is refused, and the model goes on', skipless(isModel), async (t) => {
  const wav = await recording('fox.wav')
  const long = silence(31)
  for (const [bytes, status, code] of [
    [Buffer.from('<html>'), 415, 'format_unsupported'],
    [Buffer.alloc(0), 415, 'format_unsupported'],
    [Buffer.from('RIFF0000WAVEjunk'), 400, 'audio_unreadable'],
    [Buffer.concat([Buffer.from('OggS'), Buffer.alloc(3_000, 7)]), 400, 'audio_unreadable'],
    [long, 400, 'audio_too_long'],
    [Buffer.alloc(900_000), 413, undefined]
  ] as const) {
    const reply = await upload(ada, [part('a.wav', bytes)], {}, PATH)
    t.match(reply, refuses(status, code), `${status} ${code}`)
  }
  t.match(
    (await upload(ada, [part('a.wav', silence(2))], {}, PATH)).body.data,
    { text: '' },
    'silence says nothing'
  )
  t.equal((await upload(ada, [part('a.wav', wav)], {}, PATH)).status, 200)
})

t.test('a text is spoken into a file, by a voice that is listed', skipless(isSpeech), async (t) => {
  const { data, nextCursor } = (await ada.get('/v1/agents/tts/voices?language=en&limit=2')).body
  t.match(data, [{ modelProvider: 'espeak-ng', languages: [/^en/] }, { languages: [/^en/] }])
  t.type(nextCursor, 'string')
  const text = 'Please call me tomorrow. --help $(id) <say>'
  const spoken = await ada.post('/v1/audio/speech', { text, voice: data[0].id, speed: 1.2 })
  t.match(spoken, {
    status: 201,
    body: { data: { mediaType: /wav/, voice: data[0].id, modelId: 'espeak-ng' } }
  })
  const reply = await fetch(url + spoken.body.data.url, {
    headers: { authorization: `Bearer ${await ada.key()}` }
  })
  const wav = Buffer.from(await reply.arrayBuffer())
  t.equal(wav.readUInt32LE(4), wav.length - 8, 'it says how long it is')
  t.equal((await eve.get(spoken.body.data.url)).status, 403)
  const agent = await ada.agent()
  const order = { text: 'Hello', agentId: agent.id }
  t.equal((await ada.post('/v1/audio/speech', order)).status, 201)
  t.match(await eve.post('/v1/audio/speech', order), refuses(403, 'not_owner', '/agentId'))
  t.match(
    await ada.post('/v1/audio/speech', { text, voice: '../x' }),
    refuses(400, 'voice_unknown', '/voice')
  )
  t.match(await ada.post('/v1/audio/speech', { text, format: 'mp3' }), refuses(400, undefined, '/format'))
  for (const wrong of [{}, { text: ' ' }, { text, speed: 9 }, { text, format: 'midi' }, { text, more: 1 }])
    t.equal((await ada.post('/v1/audio/speech', wrong)).status, 400)
})

t.test('a provider does both, and what it fails with is not told', async (t) => {
  const mill = as('mill', { type: 'service', project: 'studio' })
  const mp3 = await recording('fox.mp3')
  let fails = false
  const server = await modelServer(t, (reply, { path }) => {
    if (fails) return json(reply, 500, { error: { message: 'secret-key tomorrow' } })
    if (path === '/audio/speech') return reply.end(mp3)
    return json(reply, 200, {
      text: 'Good morning',
      language: 'english',
      duration: 2.5,
      segments: [
        { text: ' Good', start: 0, end: 1 },
        { text: ' morning', start: 1, end: 2.5 }
      ]
    })
  })
  const choice = {
    provider: 'openai-compatible',
    modelId: 'whisper',
    baseUrl: server.url,
    apiKey: 'secret-key'
  }
  for (const capability of ['transcription', 'speech'])
    t.equal((await mill.put(`/v1/providers/${capability}`, choice)).status, 200)
  const wav = await recording('fox.wav')
  t.match((await upload(mill, [part('a.wav', wav)], {}, PATH)).body.data, {
    text: 'Good morning',
    modelProvider: 'openai-compatible'
  })
  t.match(server.asked.at(-1), {
    path: '/audio/transcriptions',
    headers: { authorization: 'Bearer secret-key' }
  })
  t.match(await mill.get('/v1/agents/tts/voices'), { status: 200, body: { data: [] } })
  t.match(await mill.post('/v1/audio/speech', { text: 'Hi', format: 'mp3' }), {
    status: 201,
    body: { data: { mediaType: 'audio/mpeg' } }
  })
  fails = true
  const failed = await upload(mill, [part('a.wav', wav)], {}, PATH)
  t.match(failed, refuses(502, 'provider_failed'))
  t.notMatch(failed.text, /secret|tomorrow/)
  t.match(await mill.post('/v1/audio/speech', { text: 'Hi' }), refuses(502, 'provider_failed'))
})

t.test('what is wrong with a request', async (t) => {
  const headers = { ...FORM }
  t.match(await ada.request('POST', PATH, { body: 'x', headers: { 'content-type': 'text/plain' } }), {
    status: 415
  })
  t.match(await ada.request('POST', PATH, { body: '', headers }), { status: 400 })
  for (const [body, param] of [
    [{}, '/fileId'],
    [{ fileId: 'x', model: '' }, '/model'],
    [{ fileId: 'x', response_format: 'mp3' }, '/response_format'],
    [{ fileId: 'x', temperature: 3 }, '/temperature'],
    [{ fileId: 'x', surprise: 1 }, '/surprise']
  ] as const)
    t.match(await ada.post(PATH, body), refuses(400, undefined, param))
  const wav = await recording('fox.wav')
  t.match(
    await upload(ada, [part('a.wav', wav), { ...part('b.wav', wav), field: 'other' }], {}, PATH),
    refuses(400, undefined, '/other')
  )
  t.match(
    await upload(ada, [part('a.wav', wav), part('b.wav', wav)], {}, PATH),
    refuses(400, undefined, '/file')
  )
})

t.test('long recordings are cut where they are quiet, and subtitles stay what they are', async (t) => {
  const samples = Float32Array.from({ length: 50 * RATE }, (_, at) => Math.sin(at / 7))
  samples.fill(0, 15 * RATE, 15.5 * RATE)
  const cut = pieces(samples)
  t.ok(cut.length >= 3)
  t.ok((cut[0]?.to ?? 0) > 15 * RATE && (cut[0]?.to ?? 0) < 15.5 * RATE)
  t.equal(cut.at(-1)?.to, samples.length)
  t.ok(cut.every(({ from, to }) => to - from <= 20 * RATE))
  const said = [{ text: 'One\n\n2 --> 3 <b>', start: 3_661.5, end: 3_662.25 }]
  t.equal(srt(said), '1\n01:01:01,500 --> 01:01:02,250\nOne 2 → 3 <b>\n')
  t.equal(vtt(said), 'WEBVTT\n\n01:01:01.500 --> 01:01:02.250\nOne 2 → 3 &lt;b>\n')
})
