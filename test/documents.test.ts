import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { root } from '../kernel/deployment.ts'
import { checkout } from './documents/checkout.ts'
import { follow } from './documents/document.ts'

// A newcomer needs an hour.
t.setTimeout(1_800_000)

// One after another in one clone, as its owner reads them.
const clone = checkout(t)
for (const path of process.env.DOCUMENT?.split(',') ?? [
  'README.md',
  'docs/operations.md',
  'docs/write-a-pack.md',
  'plugins/a2a/README.md',
  'apps-sdk/app/README.md',
  'plugins/console/README.md',
  'plugins/workflows/README.md',
  'plugins/skills/README.md',
  'plugins/files/README.md',
  'plugins/library/README.md',
  'plugins/knowledge/README.md',
  'plugins/spaces/README.md',
  'plugins/memory/README.md',
  'plugins/connections/README.md',
  'plugins/identity/README.md',
  'plugins/provenance/README.md'
])
  t.test(path, async (t) => {
    const markdown = await readFile(join(root, path), 'utf8')
    await follow(t, markdown, { folder: await clone })
  })
