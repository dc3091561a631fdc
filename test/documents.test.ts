// tier: whole
import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { root } from '../kernel/deployment.ts'
import { checkout } from './documents/checkout.ts'
import { createOtherTerminal, follow } from './documents/document.ts'

// A newcomer needs an hour.
t.setTimeout(1_800_000)

// One after another in one clone, as its owner reads them.
const folder = await checkout(t)
// A platform that one of them started is there for the next that would start it in the same way.
const other = await createOtherTerminal(t, { folder })
for (const path of process.env.DOCUMENT?.split(',') ?? (await documents()))
  t.test(path, async (t) => {
    const markdown = await readFile(join(root, path), 'utf8')
    await follow(t, markdown, { folder, other })
  })

/** What a newcomer reads first, then each README by which something is started; those that start the same together. */
async function documents(): Promise<readonly string[]> {
  const first = ['README.md', 'docs/operations.md', 'docs/write-a-pack.md', 'apps-sdk/app/README.md']
  const readmes = await Promise.all(
    globSync('plugins/*/README.md', { cwd: root }).map(async (path) => {
      const markdown = await readFile(join(root, path), 'utf8')
      return { path, starts: /^```sh serves\n(.+)/m.exec(markdown)?.[1] }
    })
  )
  const isPlain = ({ starts }: { starts?: string | undefined }) => starts === 'npm start'
  const started = readmes.filter(({ starts }) => starts).sort((a, b) => a.path.localeCompare(b.path))
  const others = [...started.filter(isPlain), ...started.filter((readme) => !isPlain(readme))]
  return [...first, ...others.map(({ path }) => path)]
}
