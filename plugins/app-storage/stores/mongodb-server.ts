import { randomUUID } from 'node:crypto'
import { Resolver } from 'node:dns/promises'
import { conflict, unavailable, upstreamFailed } from 'agent-platform'
import type { Document, MongoClient, MongoClientOptions } from 'mongodb'
import type { Address } from './address.ts'
import { createMongodb, openCollections } from './mongodb.ts'
import type { Opened, Opening } from './postgresql.ts'

type Host = Address['hosts'][number]
/** Of MongoDB 4.2: pipelines as they are used here. */
const OLDEST_WIRE = 8
const MAX_ASKED = 12

/**
 * Connects to the one server that takes writes, which is looked for here, a server at a time: a driver that found them
 * itself would connect to whatever address, or file, a server of a stranger calls a member of its set.
 */
export async function openMongodb(opening: Opening): Promise<Opened> {
  const { address, statementMs } = opening
  const { client, hello } = await connectToPrimary(opening, await hostsOf(address))
  try {
    if (Number(hello.maxWireVersion ?? 0) < OLDEST_WIRE)
      throw conflict('MongoDB has to be of version 4.2 or later', { code: 'store_too_old' })
    const db = client.db(address.database)
    const known = db.collection<{ _id: string; id: string }>('app_storage_identity')
    const own = { _id: 'identity', id: randomUUID() }
    await known.updateOne({ _id: own._id }, { $setOnInsert: { id: own.id } }, { upsert: true })
    const identity = (await known.findOne({ _id: own._id }))?.id ?? own.id
    // A command, its one repetition, and looking for a server are over long before.
    const lostMs = Math.max(60_000, 12 * statementMs)
    const store = createMongodb({ ...(await openCollections(db)), identity, statementMs, lostMs })
    return { store, close: () => client.close() }
  } catch (error) {
    await client.close()
    throw error
  }
}

async function connectToPrimary(opening: Opening, seeds: readonly Host[]) {
  const asked = new Set<string>()
  const left = [...seeds]
  let failure: unknown
  for (let host = left.shift(); host && asked.size < MAX_ASKED; host = left.shift()) {
    const name = `${host.host}:${host.port}`
    if (asked.has(name)) continue
    asked.add(name)
    const found = await connect(opening, host).catch((error) => {
      failure ??= error
    })
    if (!found) continue
    if (found.hello.isWritablePrimary === true || found.hello.ismaster === true) return found
    await found.client.close()
    const primary = memberOf(found.hello.primary)
    if (primary) left.unshift(primary)
  }
  throw failure ?? unavailable('No server of the store takes writes now', { code: 'store_read_only' })
}

/** A host and a port as a server names them. */
function memberOf(text: unknown): Host | undefined {
  const [, six, name, port] =
    /^(?:\[([0-9a-f:.]{2,45})\]|([a-z0-9_.-]{1,253})):(\d{1,5})$/i.exec(String(text)) ?? []
  const host = six ?? name
  return host === undefined ? undefined : { host, port: Number(port) }
}

async function connect(
  opening: Opening,
  { host, port }: Host
): Promise<{ client: MongoClient; hello: Document }> {
  const { address, connectMs, statementMs } = opening
  const lookup = opening.lookup(host, port)
  const { MongoClient } = await import('mongodb')
  const { user, password, authSource, authMechanism, tls, ca } = address
  const options: MongoClientOptions = {
    directConnection: true,
    ...(user !== undefined && {
      auth: { username: user, password: password ?? '' },
      authSource: authSource ?? (address.srv ? 'admin' : address.database)
    }),
    ...(authMechanism && { authMechanism }),
    ...(tls !== 'off' && {
      tls: true,
      rejectUnauthorized: tls === 'verified',
      ...(ca !== undefined && { ca })
    }),
    lookup,
    appName: 'agent-platform',
    connectTimeoutMS: connectMs,
    serverSelectionTimeoutMS: connectMs,
    socketTimeoutMS: 3 * statementMs,
    waitQueueTimeoutMS: connectMs,
    maxPoolSize: opening.connections,
    maxIdleTimeMS: 30_000,
    writeConcern: { w: 'majority' },
    readConcern: { level: 'majority' },
    ignoreUndefined: true
  }
  const literal = host.includes(':') ? `[${host}]` : host
  const client = new MongoClient(`mongodb://${literal}:${port}/`, options)
  try {
    await client.connect()
    return { client, hello: await client.db('admin').command({ hello: 1 }) }
  } catch (error) {
    await client.close()
    throw error
  }
}

/** Of `mongodb+srv`: DNS says which they are, below the same domain, as the specification of such addresses asks for. */
async function hostsOf({ srv, hosts }: Address): Promise<readonly Host[]> {
  const [{ host }] = hosts as [Host]
  if (!srv) return hosts
  const domain = host.split('.').slice(1).join('.')
  const resolver = new Resolver({ timeout: 2_000, tries: 2 })
  const records = await resolver.resolveSrv(`_mongodb._tcp.${host}`)
  const own = records.filter(({ name }) => name.endsWith(`.${domain}`))
  if (!domain.includes('.') || own.length === 0 || own.length !== records.length)
    throw upstreamFailed('DNS names no servers below the domain of the address', { code: 'host_not_found' })
  return own.map(({ name, port }) => ({ host: name, port }))
}
