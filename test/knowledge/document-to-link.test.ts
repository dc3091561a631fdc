// budget: 6 s, because a whole platform reads a PDF in a process of its own and embeds it
import t from 'tap'
import { boot } from '../boot.ts'
import { pdf } from '../file-formats.ts'
import { startModelServer } from '../model-server.ts'
import { until } from '../packs/stage.ts'
import { part, upload } from '../uploads.ts'

const server = await startModelServer(t)
const { as, anyone } = await boot(
  t,
  'knowledge',
  'retrieval',
  'embeddings',
  'extraction',
  'files',
  'library',
  'memory',
  'tools',
  'runs',
  {
    env: { OPENAI_COMPATIBLE_BASE_URL: server.url }
  }
)
const [ada, eve] = [as('ada'), as('eve')]
const refuses = (status: number, error: object = {}) => ({ status, body: { error } })

/** A model that calls a tool, and then says that. */
const scripted = (tool: string, args: object, text: string) => ({
  modelProvider: 'openai-compatible',
  modelId: `mock?${new URLSearchParams({ tool, args: JSON.stringify(args), text })}`
})
/** What a request of HTTP alone gives. */
async function made(path: string, body: object) {
  const reply = await ada.post(path, body)
  if (reply.status >= 300) throw new Error(`POST ${path}: ${reply.status} ${reply.text}`)
  return reply.body.data
}
async function streamed(agentId: string, content: string) {
  const body = { agentId, messages: [{ role: 'user', content }] }
  const { text } = await ada.post('/v1/agents/run/stream', body)
  const events = [...text.matchAll(/^data: (.+)$/gm)].map(([, event]) => JSON.parse(event as string))
  return { text, final: events.at(-1), tool: events.find(({ type }) => type === 'toolEnd') }
}
const systemPrompt = () =>
  String(server.requests.at(-1)?.body.messages.find(({ role }) => role === 'system')?.content)

t.test(
  'a document is uploaded, imported, cited, remembered across sessions, and shared for a while',
  async (t) => {
    const report = pdf([
      'Annual report of the observatory.',
      'The telescope was moved to Tenerife,\nbecause its nights are darker.',
      'Expenses stayed as they were.'
    ])
    const file = (await upload(ada, [part('report.pdf', report, 'application/pdf')])).body.data
    t.match(file, { name: 'report.pdf', mediaType: 'application/pdf', size: report.length })

    const space = await made('/v1/knowledge', { name: 'Reports' })
    const imported = await made(`/v1/knowledge/${space.id}/import`, { fileIds: [file.id] })
    t.match(imported, { status: 'completed', created: 1, failed: 0 })

    const found = scripted(
      'search_knowledge',
      { query: 'Where is the telescope now?' },
      'It is on Tenerife [1].'
    )
    const agent = await ada.agent({ name: 'Clerk', ...found })
    await made(`/v1/knowledge/${space.id}/grants`, {
      subjectType: 'agent',
      subjectId: agent.id,
      level: 'read'
    })
    for (const toolId of ['remember', 'recall']) await made(`/v1/agents/${agent.id}/tools`, { toolId })

    const answer = await streamed(agent.id, 'Where is the telescope?')
    t.match(answer.tool, {
      toolName: 'search_knowledge',
      isError: false,
      output: { passages: [{ n: 1, page: 2 }] }
    })
    t.match(answer.final, { type: 'final', content: /Tenerife \[1\]/ })
    t.equal(answer.final.citations.length, 1)
    const [cited] = answer.final.citations
    t.match(cited, { n: 1, spaceId: space.id, version: 1, page: 2, title: 'report' })
    const document = `/v1/knowledge/${space.id}/documents/${cited.documentId}?version=${cited.version}`
    const { data } = (await ada.get(document)).body
    t.equal(data.fileId, file.id, 'and to the file that it is')
    t.match(
      data.content.slice(cited.start, cited.end),
      /^The telescope was moved to Tenerife,\s+because its nights are darker\.\s*$/
    )

    const content = 'The telescope of the observatory stands on Tenerife since it was moved.'
    await ada.put(`/v1/agents/${agent.id}`, scripted('remember', { content }, 'I shall remember that.'))
    const first = await streamed(agent.id, 'Remember where it is.')
    t.match(first.tool, { toolName: 'remember', isError: false, output: { content } })
    await ada.put(
      `/v1/agents/${agent.id}`,
      scripted('recall', { query: 'place of the telescope' }, 'On Tenerife.')
    )
    const later = await streamed(agent.id, 'Do you remember where it is?')
    t.not(later.final.sessionId, first.final.sessionId)
    t.match(systemPrompt(), content, 'it stands in the prompt of another session')
    t.match(later.tool, { toolName: 'recall', isError: false, output: [{ content }] })

    const [item] = await until(
      async () => (await ada.get('/v1/library?q=report')).body.data,
      (items) => items.length > 0
    )
    t.match(item, { name: 'report.pdf', origin: { type: 'upload', id: file.id } })
    t.match(await eve.get(`/v1/library/${item.id}`), refuses(403))
    const expiresAt = new Date(Date.now() + 6_000)
    const link = await made(`/v1/library/${item.id}/share-links`, { expiresAt: expiresAt.toISOString() })
    const shared = `/v1/shared/artifacts/${link.token}`
    const reply = await anyone.get(shared)
    t.equal(reply.status, 200)
    t.equal(reply.headers.get('content-disposition'), "attachment; filename*=UTF-8''report.pdf")
    t.equal(reply.text.slice(0, 8), '%PDF-1.7')
    const gone = await until(
      () => anyone.get(shared),
      ({ status }) => status !== 200
    )
    t.match(gone, refuses(404))
    t.ok(Date.now() >= expiresAt.getTime(), 'not before it has expired')
  }
)
