import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { temporaryFolder, writeFiles } from '../../pack-folders.ts'
import { cpuARequest, startLoad } from '../load.ts'
import type { Served } from '../platform.ts'
import { startPlatform } from '../platform.ts'
import { compare } from '../rounds.ts'
import type { Measure } from '../row.ts'
import { startSide } from '../side.ts'
import { createApi } from '../tools.ts'

const LIMIT = '1000000000'
const PACKS = ['access', 'agents', 'jobs', 'outgoing', 'storage', 'code-projects']

/** As an app that was built has them: a page, a style and some scripts. */
const files: Readonly<Record<string, string>> = {
  'index.html': '<!doctype html><title>Measured</title>'.padEnd(600),
  'assets/index.css': 'body { margin: 0 }'.padEnd(8_000),
  'assets/index.js': `export const text = '${randomBytes(30_000).toString('base64')}'`,
  'assets/vendor.js': `export const text = '${randomBytes(90_000).toString('base64')}'`
}

/** Files of previews, against the same ones from `@fastify/static` alone. */
export const measure: Measure = async (scope, quick) => {
  const load = await startLoad(scope)
  const folder = await temporaryFolder(scope)
  await writeFiles(join(folder, 'site'), files)
  const side = await startSide(scope, 'static', { root: join(folder, 'site') })
  const bare: Served = { ...side, ...(await side.ask<{ url: string }>('address')) }
  const served = await startPlatform(
    scope,
    {},
    { packs: PACKS, env: { CODE_PROJECTS_REQUESTS_PER_MINUTE: LIMIT } }
  )
  const api = createApi(served)
  const { id } = await api.post('/v1/agents', { name: 'Measured' })
  const made = await api.post(`/v1/agents/${id}/projects`, {
    name: 'Measured',
    files: Object.entries(files).map(([path, content]) => ({ path, content }))
  })
  await api.post(`/v1/agents/${id}/projects/${made.id}/publish`, {})
  const how = (base: string) => ({
    paths: Object.keys(files).map((path) => `${base}${path}`),
    connections: 32,
    requests: quick ? 2_000 : 4_000
  })
  const [ofBare, ofOurs] = [how('/'), how(`/v1/previews/${made.slug}/`)]
  const ours: Served = { ...served }
  await load(bare, { ...ofBare, requests: 10_000 })
  await load(ours, { ...ofOurs, requests: 10_000 })
  const { first, second, ratio, spread } = await compare(
    quick ? 10 : 40,
    () => cpuARequest(load, bare, ofBare),
    () => cpuARequest(load, ours, ofOurs)
  )
  return [
    {
      what: 'CPU of a file of a preview: `@fastify/static` alone / platform',
      reach: '≥ 0.8',
      measured: `${ratio.toFixed(2)} (${spread.map((it) => it.toFixed(2)).join('–')}; ${first.toFixed(1)} / ${second.toFixed(1)} µs)`,
      met: ratio >= 0.8
    }
  ]
}
