// npm run bench [-- --rows name,… | --rows all] [--quick]: what the platform reaches on this machine, printed as a table.
// Without `--rows` it is the way of a run.

import { parseArgs } from 'node:util'
import type { Measure, Row } from './row.ts'
import * as a2a from './rows/a2a.ts'
import * as apps from './rows/apps.ts'
import * as changes from './rows/changes.ts'
import * as computers from './rows/computers.ts'
import * as connections from './rows/connections.ts'
import * as pages from './rows/console.ts'
import * as credits from './rows/credits.ts'
import * as due from './rows/due.ts'
import * as facts from './rows/facts.ts'
import * as flags from './rows/flags.ts'
import * as history from './rows/history.ts'
import * as hostile from './rows/hostile.ts'
import * as identity from './rows/identity.ts'
import * as imports from './rows/imports.ts'
import * as latency from './rows/latency.ts'
import * as mcp from './rows/mcp.ts'
import * as offered from './rows/offered.ts'
import * as openai from './rows/openai.ts'
import * as paced from './rows/paced.ts'
import * as packs from './rows/packs.ts'
import * as pgvector from './rows/pgvector.ts'
import * as previews from './rows/previews.ts'
import * as provenance from './rows/provenance.ts'
import * as request from './rows/request.ts'
import * as resume from './rows/resume.ts'
import * as retrieval from './rows/retrieval.ts'
import * as runs from './rows/runs.ts'
import * as runtimes from './rows/runtimes.ts'
import * as sandbox from './rows/sandbox.ts'
import * as sealing from './rows/sealing.ts'
import * as spaces from './rows/spaces.ts'
import * as start from './rows/start.ts'
import * as steps from './rows/steps.ts'
import * as streams from './rows/streams.ts'
import * as takeover from './rows/takeover.ts'
import * as tokens from './rows/tokens.ts'
import * as tools from './rows/tools.ts'
import * as uploads from './rows/uploads.ts'
import * as usage from './rows/usage.ts'
import * as waiting from './rows/waiting.ts'
import * as webhooks from './rows/webhooks.ts'
import { withScope } from './scope.ts'
import { machine, table } from './table.ts'

type Measures = Readonly<Record<string, { readonly measure: Measure }>>

const ofRuns: Measures = { runs, paced, latency, resume, tools, mcp }
const all: Measures = {
  ...ofRuns,
  a2a,
  openai,
  request,
  identity,
  provenance,
  usage,
  flags,
  changes,
  facts,
  packs,
  streams,
  start,
  tokens,
  takeover,
  history,
  offered,
  due,
  steps,
  waiting,
  sealing,
  hostile,
  webhooks,
  retrieval,
  pgvector,
  uploads,
  imports,
  sandbox,
  computers,
  runtimes,
  previews,
  apps,
  connections,
  credits,
  spaces,
  console: pages
}

const { rows: wanted, quick } = parseArgs({
  options: { rows: { type: 'string' }, quick: { type: 'boolean', default: false } }
}).values
const names = wanted === 'all' ? Object.keys(all) : (wanted?.split(',') ?? Object.keys(ofRuns))
const unknown = names.filter((name) => !Object.hasOwn(all, name))
if (unknown.length > 0) {
  process.stderr.write(`No such row: ${unknown.join(', ')}. There are ${Object.keys(all).join(', ')}.\n`)
  process.exit(2)
}

const rows: Row[] = []
for (const name of names) {
  process.stderr.write(`measuring ${name} …\n`)
  try {
    rows.push(...(await withScope((scope) => (all[name] as { measure: Measure }).measure(scope, quick))))
  } catch (error) {
    process.stderr.write(`${name} failed: ${(error as Error).stack}\n`)
    process.exitCode = 1
  }
}
process.stdout.write(`\n${table(rows)}\n\n${await machine()}${quick ? ', quick' : ''}\n`)
