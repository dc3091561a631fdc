import type { Test } from 'tap'
import { newId } from '../kernel/contract/ids.ts'
import type { Booted } from './boot.ts'
import type { Client } from './client.ts'
import { noNames } from './conformance/routes.ts'

type Json = Record<string, unknown>

/** A resource that people own, as its routes serve it. */
export interface Resource {
  /** Of the list, such as `/v1/goals`; a thing is at `<path>/<id>`. */
  readonly path: string
  /** A body that makes one for this client. */
  create(client: Client): Json | Promise<Json>
  /** Changes of one, each of which differs from what `create` makes. */
  readonly changes: Json
  /** Fields with a value of the wrong type. */
  readonly wrong: Json
  readonly update?: 'put' | 'patch'
  /** A field that the list is searched in, with a value that nothing else has; at least four characters. */
  readonly searched?: Readonly<Record<string, string>>
  /** False where there is no list at `path`. */
  readonly isListed?: boolean
}

/**
 * Asserts of a resource with all five routes, or without a list, what every one of them promises: 401, 403 (someone else's, also in another
 * project), 404, 412, unknown fields, wrong types, read-only fields, edits that change nothing, paging, HEAD.
 */
export async function testResource(t: Test, { as, anyone }: Booted, resource: Resource): Promise<void> {
  const { path, changes, wrong, update = 'put', isListed = true, searched } = resource
  const [ada, eve] = [as('ada'), as('eve')]
  const made = async (client: Client) => {
    const reply = await client.post(path, await resource.create(client))
    t.equal(reply.status, 201, `POST ${path}`)
    return reply
  }
  const first = await made(ada)
  const thing = first.body.data as Json & { id: string }
  const url = `${path}/${thing.id}`
  const refuses = (status: number, param?: string) => ({
    status,
    body: { error: { ...(param !== undefined && { param }) } }
  })

  await t.test('is made, read, changed and deleted by its owner', async (t) => {
    t.match(thing, { owner: ada.id, version: 1, createdAt: String, updatedAt: thing.createdAt })
    t.equal(first.headers.get('etag'), '"1"')
    t.same((await ada.get(url)).body.data, thing)
    t.match(
      await ada[update](url, thing),
      { status: 200, body: { data: { version: 1 } } },
      'sent back as it was'
    )
    const changed = await ada[update](url, changes, { 'if-match': '"1"' })
    t.match(changed, { status: 200, body: { data: { ...changes, version: 2 } } })
    t.equal(changed.headers.get('etag'), '"2"')
    t.same((await ada[update](url, changes)).body.data, changed.body.data, 'nothing changed, nothing counted')
    t.match(await ada.request('HEAD', url), { status: 200, text: '' })

    const other = (await made(ada)).body.data
    t.match(await ada.delete(`${path}/${other.id}`, { 'if-match': '"2"' }), refuses(412))
    const deleted = { status: 200, body: { data: { id: other.id, deleted: true } } }
    t.match(await ada.delete(`${path}/${other.id}`, { 'if-match': '"1"' }), deleted)
    for (const method of ['get', update, 'delete'] as const)
      t.match(
        await ada[method](`${path}/${other.id}`, changes as never),
        refuses(404),
        `${method} of what is gone`
      )
  })

  await t.test('is refused to everyone else', async (t) => {
    const calls = (client: Client, at: string) => [
      client.get(at),
      client[update](at, changes),
      client.delete(at)
    ]
    const lists = isListed ? [anyone.get(path)] : []
    for (const refused of await Promise.all([anyone.post(path, {}), ...lists, ...calls(anyone, url)]))
      t.match(refused, { status: 401, body: { error: { type: 'authentication_error' } } })
    for (const client of [eve, as('zoe', { project: 'elsewhere', type: 'service' })]) {
      for (const refused of await Promise.all(calls(client, url)))
        t.match(refused, { status: 403, body: { error: { type: 'permission_error' } } })
      if (isListed) t.same((await client.get(path)).body.data, [])
    }
    for (const id of [newId(thing.id.slice(0, thing.id.lastIndexOf('_'))), newId('other'), 'nope'])
      for (const refused of await Promise.all(calls(ada, `${path}/${id}`)))
        t.match(refused, { status: 404, body: { error: { type: 'not_found' } } }, id)
  })

  await t.test('says what is wrong with a request', async (t) => {
    const body = await resource.create(ada)
    t.match(await ada.post(path, { ...body, unheard: 1 }), refuses(400, '/unheard'))
    t.match(await ada[update](url, { unheard: 1 }), refuses(400, '/unheard'))
    t.match(await ada.post(path, { ...body, id: thing.id }), refuses(400, '/id'))
    const names = Object.keys(changes).filter((field) => /^(?:name|title)$/.test(field))
    for (const [field, value] of [
      ...Object.entries(wrong),
      ...names.flatMap((name) => noNames.map((value) => [name, value] as const))
    ])
      t.match(
        await ada[update](url, { [field]: value }),
        refuses(400, `/${field}`),
        encodeURI(`${field} ${value}`)
      )
    t.match(await ada[update](url, changes, { 'if-match': '"1"' }), refuses(412))
    t.match(await ada[update](url, changes, { 'if-match': 'one' }), refuses(400, 'if-match'))
    for (const [name, value] of isListed ? Object.entries({ limit: 0, unheard: 1 }) : [])
      t.match(await ada.get(`${path}?${name}=${value}`), refuses(400, name))
  })

  if (!isListed) return
  await t.test('is listed in pages, newest first', async (t) => {
    const ids = [thing.id]
    for (let n = 0; n < 2; n++) ids.unshift((await made(ada)).body.data.id)
    const { body: page } = await ada.get(`${path}?limit=2`)
    const { body: rest } = await ada.get(`${path}?limit=2&cursor=${page.nextCursor}`)
    t.same(
      [...page.data, ...rest.data].map(({ id }: { id: string }) => id),
      ids
    )
    t.equal(rest.nextCursor, null)
    t.match(await ada.request('HEAD', path), { status: 200, text: '' })
    for (const text of [newId('other'), '-1', thing.id.slice(0, 9)])
      for (const client of [ada, eve])
        t.match(
          await client.get(`${path}?cursor=${Buffer.from(text).toString('base64url')}`),
          refuses(400, 'cursor'),
          `a cursor of ${text}, also on a list without anything`
        )
  })

  if (searched)
    await t.test('is found by a part of its text, and by its ID', async (t) => {
      const body = { ...(await resource.create(ada)), ...searched }
      const { data } = (await ada.post(path, body)).body
      for (let n = 0; n < 2; n++) await made(ada)
      const find = (client: Client, text: string) => client.get(`${path}?query=${encodeURIComponent(text)}`)
      const part = Object.values(searched)[0]?.slice(1, -1) ?? ''
      for (const text of [part, part.toUpperCase(), data.id])
        t.match(
          (await find(ada, text)).body,
          { data: { length: 1, 0: { id: data.id } }, nextCursor: null },
          text
        )
      for (const text of ['%', '____', data.id.slice(0, -1)])
        t.same((await find(ada, text)).body.data, [], `${text} is no pattern`)
      t.same((await find(eve, part)).body.data, [], 'not by others')
      for (const text of ['', 'x'.repeat(201), '\0'])
        t.match(await find(ada, text), refuses(400, 'query'), encodeURI(text.slice(0, 3)))
    })
}
