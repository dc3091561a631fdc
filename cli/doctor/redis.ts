import type { Redis } from '../../kernel/database/redis.ts'
import { createRedis } from '../../kernel/database/redis.ts'
import { channelOf } from '../../kernel/events/signals-transports.ts'
import { lineOf } from '../faults.ts'
import type { Check, Finding } from './finding.ts'
import { count, ok, problem, sizeOf, warning } from './finding.ts'
import { addressOf } from './mask.ts'
import type { Target } from './target.ts'

const WAIT_MS = 3_000
const OLDEST = 6

export function redisChecks({ settings: { REDIS_URL: url, environment }, living }: Target): readonly Check[] {
  const on = (name: string, look: (redis: Redis, url: string) => Promise<Finding>): Check => ({
    name,
    async look() {
      if (environment.REDIS_URL && !url)
        return warning('not checked: REDIS_URL is no address', 'see settings')
      return url ? using(url, (redis) => look(redis, url)) : ok('not used: REDIS_URL is not set')
    }
  })
  const reached = on('redis', server)
  if (!url) return [reached]
  return [
    reached,
    on('redis memory', memory),
    on('redis sharing', (redis, url) => sharing(redis, url, living.length))
  ]
}

async function using(url: string, look: (redis: Redis) => Promise<Finding>): Promise<Finding> {
  let reason: string | undefined
  const redis = createRedis({ url, log: { info() {}, warn() {} } })
  redis.client.once('error', (error: Error) => {
    reason ??= lineOf(error)
  })
  try {
    return await look(redis)
  } catch (error) {
    return problem(
      `${addressOf(url)} cannot be reached: ${reason ?? lineOf(error)}`,
      'start the server, or correct address and password in REDIS_URL; without REDIS_URL PostgreSQL does its work'
    )
  } finally {
    await redis.close()
  }
}

/** A section of what the server tells of itself, by name. */
const info = async (redis: Redis, section: string): Promise<ReadonlyMap<string, string>> => {
  const text = await redis.use(WAIT_MS, () => redis.client.info(section))
  return new Map(text.split('\r\n').map((line) => line.split(':', 2) as [string, string]))
}

async function server(redis: Redis, url: string): Promise<Finding> {
  const version = (await info(redis, 'server')).get('redis_version') ?? '?'
  const found = `Redis ${version}, ${addressOf(url)}`
  if (Number.parseInt(version, 10) >= OLDEST) return ok(found)
  return warning(found, `use a server of version ${OLDEST} or later: older ones were not tested`)
}

async function memory(redis: Redis): Promise<Finding> {
  return judgeMemory(await info(redis, 'memory'))
}

export function judgeMemory(about: ReadonlyMap<string, string>): Finding {
  const [most, used] = [Number(about.get('maxmemory')), Number(about.get('used_memory'))]
  const policy = about.get('maxmemory_policy') ?? 'unknown'
  if (!most) return ok(`${sizeOf(used)}, without a limit`)
  const found = `${sizeOf(used)} of ${sizeOf(most)}, policy ${policy}`
  if (policy === 'noeviction')
    return used < 0.8 * most
      ? ok(found)
      : warning(found, 'raise maxmemory: a full Redis refuses to count requests')
  return warning(
    found,
    'set maxmemory-policy noeviction: what is evicted may be a count of requests, and its limit begins anew'
  )
}

/** Each instance hears signals on one connection: a further one is of another platform. */
async function sharing(redis: Redis, url: string, instances: number): Promise<Finding> {
  const channel = channelOf(url)
  const heard = await redis.use(WAIT_MS, () => redis.client.pubSubNumSub([channel]))
  const hearers = Number(heard[channel] ?? 0)
  if (hearers <= instances) return ok(`heard by ${count(hearers, 'instance')}, all of them of this platform`)
  return problem(
    `${count(hearers, 'instance')} use it, and this platform has ${instances}: another platform shares it`,
    'give each platform a Redis database of its own, such as redis://host/1'
  )
}
