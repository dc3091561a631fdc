import { BSON } from 'mongodb'
import type { Doc } from './matching-fixture.ts'
import { compare, matches } from './matching-fixture.ts'
import { changed, plain, projected, sorted, staged } from './stages-fixture.ts'

const BATCH = 101
const done = { ok: 1 }

/** The commands of the adapter and of the driver below it, over documents in memory. */
export function createCommands(hello: Doc) {
  const collections = new Map<string, Doc[]>()
  const unique = new Map<string, readonly string[][]>()
  const cursors = new Map<number, { ns: string; left: Doc[] }>()
  let lastCursor = 0

  const documents = (name: string): Doc[] => {
    const found = collections.get(name) ?? []
    collections.set(name, found)
    return found
  }

  const isTaken = (name: string, doc: Doc, but?: Doc) =>
    [['_id'], ...(unique.get(name) ?? [])].some((fields) =>
      documents(name).some(
        (other) =>
          other !== but && fields.every((field) => compare(idOf(other[field]), idOf(doc[field])) === 0)
      )
    )

  const taken = (index: number) => ({ index, code: 11_000, errmsg: 'E11000 duplicate key error' })

  function insert({ insert: name, documents: given }: Doc): Doc {
    const writeErrors: Doc[] = []
    for (const [index, doc] of given.entries()) {
      if (isTaken(name, doc)) writeErrors.push(taken(index))
      else documents(name).push(doc)
    }
    return { ...done, n: given.length - writeErrors.length, ...(writeErrors.length > 0 && { writeErrors }) }
  }

  function update({ update: name, updates }: Doc): Doc {
    const [upserted, writeErrors]: [Doc[], Doc[]] = [[], []]
    let [n, nModified] = [0, 0]
    for (const [index, { q, u, upsert }] of updates.entries()) {
      const found = documents(name).find((doc) => matches(doc, q))
      const next = changed(found ?? { ...plain(q), _id: plain(q)._id ?? new BSON.ObjectId() }, u, !found)
      if (!found && !upsert) continue
      if (isTaken(name, next, found)) writeErrors.push(taken(index))
      else if (found) {
        documents(name)[documents(name).indexOf(found)] = next
        nModified++
        n++
      } else {
        documents(name).push(next)
        upserted.push({ index, _id: next._id })
        n++
      }
    }
    return {
      ...done,
      n,
      nModified,
      ...(upserted.length > 0 && { upserted }),
      ...(writeErrors.length > 0 && { writeErrors })
    }
  }

  function remove({ delete: name, deletes }: Doc): Doc {
    let n = 0
    for (const { q, limit } of deletes) {
      const gone = documents(name).filter((doc) => matches(doc, q))
      const some = new Set(limit === 1 ? gone.slice(0, 1) : gone)
      collections.set(
        name,
        documents(name).filter((doc) => !some.has(doc))
      )
      n += some.size
    }
    return { ...done, n }
  }

  function page(db: string, name: string, all: Doc[], size = BATCH): Doc {
    const ns = `${db}.${name}`
    const firstBatch = all.slice(0, size)
    let id = 0
    if (all.length > size) {
      id = ++lastCursor
      cursors.set(id, { ns, left: all.slice(size) })
    }
    return { ...done, cursor: { id: BSON.Long.fromNumber(id), ns, firstBatch } }
  }

  function find({ find: name, $db, filter = {}, sort = {}, limit = 0, projection, batchSize }: Doc): Doc {
    const found = sorted(
      documents(name).filter((doc) => matches(doc, filter)),
      sort
    )
    const some = limit > 0 ? found.slice(0, limit) : found
    return page(
      $db,
      name,
      some.map((doc) => projected(doc, projection)),
      batchSize
    )
  }

  function getMore({ getMore: id }: Doc): Doc {
    const cursor = cursors.get(Number(id))
    if (!cursor) return { ok: 0, code: 43, errmsg: 'cursor not found' }
    const nextBatch = cursor.left.splice(0, BATCH)
    const isOver = cursor.left.length === 0
    if (isOver) cursors.delete(Number(id))
    return {
      ...done,
      cursor: { id: BSON.Long.fromNumber(isOver ? 0 : Number(id)), ns: cursor.ns, nextBatch }
    }
  }

  function aggregate({ aggregate: name, $db, pipeline, cursor }: Doc): Doc {
    let docs = documents(name)
    for (const stage of pipeline as Doc[]) docs = staged(docs, stage)
    return page($db, name, docs, cursor?.batchSize)
  }

  function createIndexes({ createIndexes: name, indexes }: Doc): Doc {
    const made = indexes.filter((it: Doc) => it.unique).map(({ key }: Doc) => Object.keys(key))
    unique.set(name, [...(unique.get(name) ?? []), ...made])
    return done
  }

  const greeting = () => ({
    ...done,
    isWritablePrimary: true,
    ismaster: true,
    maxBsonObjectSize: 16_777_216,
    maxMessageSizeBytes: 48_000_000,
    maxWriteBatchSize: 100_000,
    localTime: new Date(),
    minWireVersion: 0,
    maxWireVersion: 21,
    ...hello
  })
  const commands: Readonly<Record<string, (body: Doc) => Doc>> = {
    hello: greeting,
    ismaster: greeting,
    ping: () => done,
    endSessions: () => done,
    killCursors: () => done,
    saslStart: () => ({
      ok: 0,
      code: 18,
      codeName: 'AuthenticationFailed',
      errmsg: 'Authentication failed.'
    }),
    insert,
    update,
    delete: remove,
    find,
    getMore,
    aggregate,
    createIndexes
  }

  return {
    documents,
    run(name: string, body: Doc): Doc {
      const command =
        commands[Object.keys(commands).find((it) => it.toLowerCase() === name.toLowerCase()) ?? '']
      if (!command) return { ok: 0, code: 59, errmsg: `no such command: '${name}'` }
      try {
        return command(body)
      } catch (error) {
        return { ok: 0, code: 2, codeName: 'BadValue', errmsg: (error as Error).message }
      }
    }
  }
}

const idOf = (value: unknown) => (value instanceof BSON.ObjectId ? value.toHexString() : value)
