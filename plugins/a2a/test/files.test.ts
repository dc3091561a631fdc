import type { Artifact, Part, Task } from '@a2a-js/sdk'
import sharp from 'sharp'
import t from 'tap'
import type { Files } from '../../files/contract.ts'
import {
  call,
  local,
  message,
  oldClient,
  order,
  published,
  saying,
  scripted,
  sdkClient,
  stage,
  text
} from './testbed.ts'

const { booted, ada, eve } = await stage(t, {
  packs: ['files', 'extraction', 'storage'],
  env: { OPENAI_COMPATIBLE_IMAGES: 'true' },
  tools: {
    draw: {
      description: 'Draws',
      parameters: { type: 'object' },
      idempotent: false,
      async call({ id, by, run, args }) {
        const files = booted.platform.server.current().packs.get('files')?.deps.fileService as Files
        const chain = [{ type: 'call', id }, ...(run ? [{ type: 'run', id: run.id }] : [])]
        async function* bytes() {
          yield Buffer.alloc(Number(args.size), 'a')
        }
        const about = { name: 'drawn.txt', mediaType: 'text/plain', origin: { type: 'tool', chain } as const }
        return { output: (await files.store(by, bytes(), about)).id }
      }
    }
  }
})
const agent = await published(ada, local)

t.test('files and data go with a message, and data comes back', async (t) => {
  const file = {
    name: 'notes.txt',
    mimeType: 'text/plain',
    bytes: Buffer.from('The answer is 42').toString('base64')
  }
  const parts = [
    { kind: 'text', text: 'What does the file say?' },
    { kind: 'file', file },
    { kind: 'data', data: { priority: 'high' } }
  ]
  const { result } = await call(ada, agent, 'message/send', saying('', { parts }))
  t.match(result.status, { state: 'completed' })
  const { body } = await ada.get(`/v1/sessions/${result.contextId}/full`)
  const said = body.data.messages.map(({ content }: { content: string }) => content).join('\n')
  t.match(said, 'The answer is 42')
  t.match(said, '"priority":"high"')
  const fileId = /\((file_\w+),/.exec(said)?.[1]
  t.match((await ada.get(`/v1/files/${fileId}`)).body.data, { name: 'notes.txt', mediaType: /text\/plain/ })

  const json = await call(ada, agent, 'SendMessage', {
    message: { messageId: 'json', role: 'ROLE_USER', parts: [{ text: '/say {"total": 3}' }] },
    configuration: { acceptedOutputModes: ['application/json'] }
  })
  t.match(json.result.task.artifacts[0].parts, [{ text: '{"total": 3}' }, { data: { total: 3 } }])
  const plain = await call(
    ada,
    agent,
    'message/send',
    saying('/say {"total": 3}', {}, { acceptedOutputModes: ['text/plain'] })
  )
  t.equal(plain.result.artifacts[0].parts.length, 1)
})

t.test('files that were made on the way come back, small ones as they are', async (t) => {
  const drawer = await published(ada, local)
  await ada.post(`/v1/agents/${drawer.id}/tools`, { toolId: 'draw', policy: 'allow' })
  const draw = (size: number) => saying(`/call draw {"size": ${size}}`)
  const { result } = await call(ada, drawer, 'message/send', draw(5))
  t.match(result.artifacts, [
    { artifactId: 'answer' },
    {
      artifactId: 'files',
      parts: [{ kind: 'file', file: { name: 'drawn.txt', mimeType: /text\/plain/, bytes: btoa('aaaaa') } }]
    }
  ])
  const { id } = result
  t.match((await call(ada, drawer, 'GetTask', { id })).result.artifacts[1].parts, [
    { raw: btoa('aaaaa'), filename: 'drawn.txt' }
  ])
  const [listed] = (await call(ada, drawer, 'ListTasks', { includeArtifacts: false })).result.tasks
  t.notOk(listed.artifacts)
  const large = (await call(ada, drawer, 'message/send', draw(5_000_000))).result.artifacts[1].parts[0].file
  t.notOk(large.bytes)
  t.match(large.uri, /\/v1\/files\/file_\w+\/content$/)
  const read = await ada.get(new URL(large.uri).pathname)
  t.equal(read.status, 200)
  t.equal((await eve.get(new URL(large.uri).pathname)).status, 403)
  for (const _ of [1, 2]) await call(ada, drawer, 'message/send', draw(3_000_000))
  const { tasks } = (await call(ada, drawer, 'ListTasks', { includeArtifacts: true })).result
  const parts: { raw?: string; url?: string }[] = tasks.flatMap(
    ({ artifacts }: { artifacts?: { artifactId: string; parts: object[] }[] }) =>
      artifacts?.find(({ artifactId }) => artifactId === 'files')?.parts ?? []
  )
  t.equal(parts.length, 4)
  t.equal(
    parts.filter(({ raw }) => raw && raw.length > 1_000_000).length,
    1,
    'a list has room for one of them'
  )
  t.equal(parts.filter(({ url }) => url).length, 2)
  const old = await call(ada, drawer, 'tasks/send', {
    id: 'drawn',
    message: { role: 'user', parts: [{ type: 'text', text: '/call draw {"size": 3}' }] }
  })
  t.match(old.result.artifacts[1], { index: 1, parts: [{ type: 'file', file: { bytes: btoa('aaa') } }] })
})

const given = (name: string, said: string): Part => ({
  content: { $case: 'raw', value: Buffer.from(said) },
  metadata: undefined,
  filename: name,
  mediaType: 'text/plain'
})
const filesOf = (artifacts: readonly Artifact[]) =>
  artifacts
    .filter(({ artifactId }) => artifactId === 'files')
    .flatMap(({ parts }) => parts)
    .map(({ filename, content }) => [filename, content?.$case === 'raw' ? content.value.toString() : content])

for (const version of ['1.0', '0.3'])
  t.test(
    `a client of ${version} sends files, and has those that were made from a stream as from the task`,
    async (t) => {
      const drawer = await published(ada, local)
      await ada.post(`/v1/agents/${drawer.id}/tools`, { toolId: 'draw', policy: 'allow' })
      const client = await sdkClient(booted, ada, drawer, version)
      const name = `asked-${version}.txt`
      const task = (await client.sendMessage(
        order(message([text('What does it say?'), given(name, 'The answer is 42')]))
      )) as Task
      const { messages } = (await ada.get(`/v1/sessions/${task.contextId}/full`)).body.data
      t.match(messages.map((it: { content: string }) => it.content).join('\n'), 'The answer is 42')
      t.equal((await booted.platform.knex('files.file').where({ owner: 'ada', name })).length, 1)

      const told: Artifact[] = []
      let id = ''
      let last: string | undefined
      for await (const { payload } of client.sendMessageStream(
        order(message([text('/call draw {"size": 4}')]))
      )) {
        last = payload?.$case
        if (payload?.$case === 'task') ({ id } = payload.value)
        if (payload?.$case === 'artifactUpdate' && payload.value.artifact) told.push(payload.value.artifact)
      }
      t.equal(last, 'statusUpdate', 'what was made comes before the end')
      t.same(filesOf(told), [['drawn.txt', 'aaaa']])
      const read = await client.getTask({ tenant: '', id } as never)
      t.same(filesOf(read.artifacts), filesOf(told))
    }
  )

t.test('so does one of the first days', async (t) => {
  const drawer = await published(ada, local)
  await ada.post(`/v1/agents/${drawer.id}/tools`, { toolId: 'draw', policy: 'allow' })
  const client = await oldClient(booted, ada, drawer)
  const file = { name: 'old.txt', mimeType: 'text/plain', bytes: btoa('The answer is 42') }
  const parts = [
    { type: 'text', text: '/call draw {"size": 4}' },
    { type: 'file', file }
  ]
  const made: unknown[] = []
  for await (const { result } of client.sendTaskSubscribe({
    id: 'drawn',
    message: { role: 'user', parts }
  } as never))
    if ('artifact' in result && result.artifact.name === 'files') made.push(result.artifact)
  t.match(made, [
    { index: 1, append: false, lastChunk: true, parts: [{ type: 'file', file: { bytes: btoa('aaaa') } }] }
  ])
  t.equal((await booted.platform.knex('files.file').where({ owner: 'ada', name: 'old.txt' })).length, 1)
  const task = await client.getTask({ id: 'drawn' })
  t.match(task?.artifacts?.[1], { index: 1, parts: [{ type: 'file', file: { bytes: btoa('aaaa') } }] })
  const plain = (await ada.get(`/v1/a2a/${drawer.id}/tasks/drawn/stream`)).text
  t.match(JSON.parse(plain.trimEnd().split('data: ').at(-1) as string), {
    state: 'completed',
    files: [{ file: { name: 'drawn.txt', bytes: btoa('aaaa') } }]
  })
})

t.test('images that were sent are in the history, for their sender', async (t) => {
  const blank = sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
  const bytes = (await blank.png().toBuffer()).toString('base64')
  const seeing = await published(ada, scripted('text=Red'))
  const parts = [
    { kind: 'text', text: 'What is it?' },
    { kind: 'file', file: { name: 'dot.png', mimeType: 'image/png', bytes } }
  ]
  const sent = saying('', { parts }, { historyLength: 5 })
  const { result } = await call(ada, seeing, 'message/send', sent)
  t.match(result.status, { state: 'completed' })
  const [said] = result.history
  t.match(said.parts, [{ kind: 'text' }, { kind: 'file', file: { uri: /\/v1\/files\/file_\w+\/content$/ } }])
  t.equal((await ada.get(new URL(said.parts[1].file.uri).pathname)).status, 200)
})
