import t from 'tap'
import { boot } from '../../../test/boot.ts'

const { as, settled, platform } = await boot(t, 'knowledge')
const [ada, eve] = [as('ada'), as('eve')]

const space = async () => (await ada.post('/v1/knowledge', { name: 'Handbook' })).body.data.id as string
const refuses = (status: number, error: object = {}) => ({ status, body: { error } })

/** Writes pages into a space, and says what links there are by the titles of pages. */
function wiki(id: string) {
  const url = `/v1/knowledge/${id}/documents`
  const write = async (title: string, content: string, fields: object = {}) => {
    const { status, body } = await ada.post(url, { title, content, ...fields })
    if (status !== 201) throw new Error(JSON.stringify(body))
    return body.data as { id: string; tags: string[] }
  }
  const graph = async (query = '') => {
    const { body } = await ada.get(`/v1/knowledge/${id}/graph${query}`)
    const { nodes, edges, unresolved, truncated } = body.data
    const titles = new Map(nodes.map((node: { id: string; title: string }) => [node.id, node.title]))
    return {
      nodes: [...titles.values()].sort(),
      edges: edges
        .map(
          (edge: { fromId: string; toId: string }) => `${titles.get(edge.fromId)} > ${titles.get(edge.toId)}`
        )
        .sort(),
      unresolved: unresolved.map(({ target }: { target: string }) => target),
      truncated
    }
  }
  return { url, write, graph }
}

t.test('links make a graph, also those that come before what they name', async (t) => {
  const { write, graph, url } = wiki(await space())
  const home = await write('Home', 'See [[Setup]], [[Linux|that]] and [[Nowhere]]. [[Setup]] again. #start')
  t.same((await graph()).unresolved, ['linux', 'nowhere', 'setup'])
  const folder = (await ada.post(url.replace('documents', 'folders'), { name: 'guides' })).body.data
  await write('Setup', 'Back [home](../Home.md), on to [[linux]]', { folderId: folder.id })
  await write('Linux', '---\naliases: [Tux]\ntags: [os]\n---\n[[Setup#Disks]]', { folderId: folder.id })
  t.same(await graph(), {
    nodes: ['Home', 'Linux', 'Setup'],
    edges: ['Home > Linux', 'Home > Setup', 'Linux > Setup', 'Setup > Home', 'Setup > Linux'],
    unresolved: ['nowhere'],
    truncated: false
  })
  await write('News', '[[Tux]] and [[GUIDES/setup]]')
  t.same(
    (await graph(`?documentId=${home.id}`)).edges,
    ['Home > Linux', 'Home > Setup', 'Linux > Setup', 'Setup > Home', 'Setup > Linux'],
    'links to it and from it'
  )
  t.ok((await graph()).edges.includes('News > Linux'), 'by an alias')
  t.ok((await graph()).edges.includes('News > Setup'), 'by the end of a path')
  t.equal((await graph('?limit=1')).truncated, true)
  t.same(home.tags, ['start'])
  t.match((await ada.get(`${url}?tag=OS`)).body.data, [{ title: 'Linux', tags: ['os'] }])
  t.same((await ada.get(`${url}?tag=none`)).body.data, [])
})

t.test('a page that is renamed or moved keeps its links, also in texts that are edited later', async (t) => {
  const { write, graph, url } = wiki(await space())
  const a = await write('A', '[[B]] [b](B.md)')
  const b = await write('B', 'Words')
  const folder = (await ada.post(url.replace('documents', 'folders'), { name: 'deep' })).body.data
  await ada.patch(`${url}/${b.id}`, { title: 'Bee', name: 'bee.md', folderId: folder.id })
  t.same((await graph()).edges, ['A > Bee'])
  await ada.patch(`${url}/${a.id}`, { content: 'Edited: [[B]] [b](B.md)' })
  t.match(await graph(), { edges: ['A > Bee'], unresolved: [] }, 'the old words lead there still')
  await write('C', '[[B]]')
  t.same((await graph()).edges, ['A > Bee', 'C > Bee'], 'and from new pages')
  await write('B', 'Another page of that name')
  await write('D', '[[B]]')
  t.same((await graph()).edges, ['A > Bee', 'C > Bee', 'D > B'], 'until something else is called so')
  await ada.patch(`${url.replace('documents', 'folders')}/${folder.id}`, { name: 'deeper' })
  t.same((await graph()).edges, ['A > Bee', 'C > Bee', 'D > B'])
})

t.test('what is deleted leaves links that lead nowhere, or to another of that name', async (t) => {
  const { write, graph, url } = wiki(await space())
  const folder = (await ada.post(url.replace('documents', 'folders'), { name: 'old' })).body.data
  await write('A', '[[B]]')
  const b = await write('B', '')
  await ada.delete(`${url}/${b.id}`)
  t.match(await graph(), { nodes: ['A'], edges: [], unresolved: ['b'] })
  const near = await write('B', '')
  await write('B', '', { folderId: folder.id })
  t.same((await graph(`?documentId=${near.id}`)).edges, ['A > B'], 'the nearer one')
  await ada.delete(`${url}/${near.id}`)
  t.same((await graph()).edges, ['A > B'], 'the other one')
})

t.test('who may not read the space sees no graph', async (t) => {
  const id = await space()
  const url = `/v1/knowledge/${id}/graph`
  t.match(await eve.get(url), refuses(403))
  t.match(await ada.get('/v1/knowledge/space_nope/graph'), refuses(404))
  t.match(await ada.get(`${url}?documentId=document_nope`), refuses(404, { param: 'documentId' }))
  t.match(await ada.get(`${url}?limit=0`), refuses(400, { param: 'limit' }))
})

t.test('a long text is read behind the request, with progress', async (t) => {
  const { url, write, graph } = wiki(await space())
  await write('Target', '')
  const content = Array.from(
    { length: 400 },
    (_, n) => `## Part ${n}\n\n${'Words of it. '.repeat(30)}\n`
  ).join('\n')
  const long = await write('Long', `${content}\n[[Target]] #late`)
  t.match(long, { status: 'processing', progress: 0, tags: [] })
  const read = async () => (await ada.get(`${url}/${long.id}`)).body.data
  let now = await read()
  while (now.status === 'processing') {
    await settled()
    now = await read()
  }
  t.match(now, { status: 'ready', progress: 100, error: null, tags: ['late'], version: 1 })
  t.match((await ada.get(`${url}/${long.id}?version=1`)).body.data, { tags: ['late'] })
  t.same((await graph()).edges, ['Long > Target'])
  const passages = platform.knex('knowledge.passage').where({ documentId: long.id })
  t.equal((await passages).length, 400)

  await ada.patch(`${url}/${long.id}`, { content: `Short. [[Target]]` })
  t.match(
    await passages.clone(),
    [{ version: 2, text: 'Short. [[Target]]' }],
    'nothing is left of the old text'
  )
})

t.test('nothing is left of a space', async (t) => {
  const id = await space()
  const { write } = wiki(id)
  await write('A', '[[B]] Words')
  await ada.delete(`/v1/knowledge/${id}`)
  await settled()
  for (const table of ['link', 'known_name', 'passage'])
    t.same(await platform.knex(`knowledge.${table}`).where({ spaceId: id }), [], table)
})
