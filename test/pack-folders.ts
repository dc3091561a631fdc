import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

interface Scope {
  teardown(work: () => unknown): unknown
}

/** A folder outside of the checkout, where nothing can hide a broken resolve hook; it goes with the test. */
export async function temporaryFolder(t: Scope): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'agent-platform-packs-')))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Writes files, given by their relative paths, and returns the folder. */
export async function writeFiles(folder: string, files: Readonly<Record<string, string>>): Promise<string> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  return folder
}

/** The text of a `pack.ts` without anything in it, or with further lines before and fields inside. */
export const packText = (
  name: string,
  fields = '',
  before = ''
) => `import { definePack } from 'agent-platform'
${before}
export default definePack({ name: '${name}', area: 'Test', ${fields} })
`
