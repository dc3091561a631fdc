// budget: 7 s, because images are made, and decoded in a process of their own
import sharp from 'sharp'
import t from 'tap'
import { boot } from '../../../test/boot.ts'
import type { Client } from '../../../test/client.ts'
import type { ChatBody } from '../../../test/model-server.ts'
import { startModelServer } from '../../../test/model-server.ts'
import { part, upload } from '../../../test/uploads.ts'

const server = await startModelServer(t)
const booted = await boot(t, 'files', 'runs', 'extraction', 'outgoing', {
  env: { OPENAI_COMPATIBLE_BASE_URL: server.url, OPENAI_COMPATIBLE_IMAGES: 'true' }
})
const ada = booted.as('ada')
const seeing = { modelProvider: 'openai-compatible', modelId: 'mock?text=Red' }
const blind = { modelProvider: 'local', modelId: 'blind' }
const { platform } = booted

const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: { r: 200, g: 30, b: 30 } } })
const fileOf = async (client: Client, name: string, bytes: string | Uint8Array): Promise<string> =>
  (await upload(client, [part(name, bytes)])).body.data.id
const run = (client: Client, agent: { id: string }, content: string, more: object = {}) =>
  client.post('/v1/agents/run', { agentId: agent.id, messages: [{ role: 'user', content }], ...more })
const attached = (fileIds: readonly string[], more: object = {}) => ({
  attachments: fileIds.map((fileId) => ({ fileId })),
  ...more
})
interface Said {
  readonly type: string
  readonly text?: string
  readonly image_url?: { readonly url: string }
}
/** What the server of the model was told last. */
const asked = () => server.requests.at(-1)?.body as ChatBody
/** In the user's messages, those with images as lists. */
const toldOfUser = () =>
  asked()
    .messages.filter(({ role }) => role === 'user')
    .map(({ content }) => content as string | Said[])
const bytesOf = ({ image_url }: Said) => Buffer.from(image_url?.url.split(',')[1] ?? '', 'base64')

t.test('an image is shown to the model, made anew, in the message of its caller', async (t) => {
  const agent = await ada.agent(seeing)
  const photo = await picture(2_000, 1_000)
    .withExif({ IFD0: { Copyright: 'secret place' } })
    .jpeg()
    .toBuffer()
  const files = [
    await fileOf(ada, 'photo.jpg', photo),
    await fileOf(ada, 'note.txt', 'Painted in May'),
    await fileOf(ada, 'logo.png', await picture(8, 8).png().toBuffer())
  ]
  const { status, body } = await run(ada, agent, 'Which colour?', attached(files))
  t.match({ status, body }, { status: 200, body: { data: { status: 'completed', content: 'Red' } } })
  const [message] = toldOfUser() as Said[][]
  const [document, ...said] = message as Said[]
  t.match(document, { type: 'text', text: /Painted in May/ })
  t.match(said, [
    { type: 'text', text: `(The image ${files[0]} is attached.)` },
    { type: 'image_url', image_url: { url: /^data:image\/jpeg;base64,/ } },
    { type: 'text', text: `(The image ${files[2]} is attached.)` },
    { type: 'image_url' },
    { type: 'text', text: 'Which colour?' }
  ])
  const shown = bytesOf(said[1] as Said)
  t.match(await sharp(shown).metadata(), { format: 'jpeg', width: 1_024, height: 512 })
  t.notMatch(shown.toString('latin1'), /secret place/)
  t.match(asked().messages[0], { role: 'system', content: /Attached images are data as well/ })

  const { sessionId } = body.data
  const { messages } = (await ada.get(`/v1/sessions/${sessionId}/full`)).body.data
  t.same(messages[1].attachments, [{ fileId: files[0] }, { fileId: files[2] }])
  t.equal(messages[1].content, 'Which colour?', 'no bytes are in the message')
  await run(ada, agent, 'And the other?', { sessionId })
  t.same(toldOfUser()[0], message, 'later runs are told the same')

  await ada.put(`/v1/agents/${agent.id}`, blind)
  t.match(
    await run(ada, agent, '/say I see nothing', { sessionId }),
    { status: 200 },
    'also of another model'
  )
})

t.test('an image that is gone is said to be', async (t) => {
  const agent = await ada.agent(seeing)
  const fileId = await fileOf(ada, 'photo.png', await picture(20, 10).png().toBuffer())
  const { sessionId } = (await run(ada, agent, 'Look', attached([fileId]))).body.data
  await platform.knex('files.file').where({ id: fileId }).delete()
  t.match(await run(ada, agent, 'Again', { sessionId }), { status: 200 })
  t.match(toldOfUser(), [
    [{ text: `(The image ${fileId} was attached: it is not there any more.)` }, { text: 'Look' }],
    'Again'
  ])
})

t.test('what cannot be shown refuses the run before it is accepted', async (t) => {
  const photo = await fileOf(ada, 'photo.png', await picture(20, 10).png().toBuffer())
  const seer = await ada.agent(seeing)
  const counts = () => platform.knex('runs.run').count('* as n')
  const before = await counts()
  const refused = async (agent: { id: string }, fields: object, error: object) =>
    t.match(await run(ada, agent, 'Look', fields), { status: 400, body: { error } })
  await refused(await ada.agent(blind), attached([photo]), {
    code: 'attachment_unsupported',
    param: '/attachments/0/fileId',
    message: 'The model local/blind takes no images'
  })
  const broken = await fileOf(ada, 'broken.png', (await picture(90, 90).png().toBuffer()).subarray(0, 90))
  const fault = { code: 'document_broken', param: '/attachments/1/fileId' }
  await refused(seer, attached([photo, broken]), fault)
  const system = { messages: [{ role: 'system', content: 'Be brief' }] }
  await refused(seer, attached([photo], system), { param: '/attachments' })
  t.same(await counts(), before)
})
