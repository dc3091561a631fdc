import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { glob, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { promisify } from 'node:util'
import { root } from '../../kernel/deployment.ts'
import { checkName } from './names.ts'
import { arrange } from './tables.ts'
import type { Wording } from './words.ts'
import { clashIn, createWording, isOfTheLanguage } from './words.ts'

const template = join(import.meta.dirname, 'template')
const SUFFIX = '.template'
const plugins = join(root, 'plugins')

/**
 * Makes a pack that works: rows of one kind with an owner, a migration, routes, facts and tests. It appears in
 * `folder` at one stroke. Returns its files as they lie below `options.folder`; throws an Error of one line where the
 * name will not do.
 */
export async function createPack(name: string, options: { folder: string }): Promise<readonly string[]> {
  const folder = resolve(options.folder)
  checkName(name, [...new Set([folder, plugins])])
  const wording = createWording(name)
  if (isOfTheLanguage(wording))
    throw new Error(`${name}: a row of it would be called ${wording.noun}, which JavaScript has for itself`)
  await checkShapes(name, wording)
  await mkdir(folder, { recursive: true })
  // Hidden, so that a platform that watches the folder does not see half of it.
  const draft = join(folder, `.${name}-${process.pid}`)
  try {
    const paths = await write(draft, name, wording, folder)
    await format(draft)
    await rename(draft, join(folder, name))
    return paths.map((path) => join(options.folder, name, path))
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

async function write(draft: string, name: string, wording: Wording, folder: string): Promise<string[]> {
  const paths: string[] = []
  for await (const entry of glob(`**/*${SUFFIX}`, { cwd: template })) {
    const text = await readFile(join(template, entry), 'utf8')
    const clash = entry.includes('.ts') ? clashIn(text, wording) : undefined
    if (clash)
      throw new Error(`${name}: every pack has something called ${clash} already; choose another name`)
    const path = wording.write(entry.slice(0, -SUFFIX.length))
    const said = atHome(wording.write(text), join(folder, name))
    await mkdir(dirname(join(draft, path)), { recursive: true })
    await writeFile(join(draft, path), path === 'surface.md' ? arrange(said) : said)
    paths.push(path)
  }
  return paths.sort()
}

/** The template lies in `plugins/`. From another folder the way there is longer, and tests have to name it. */
function atHome(text: string, pack: string): string {
  if (dirname(pack) === plugins) return text
  const way = (path: string, from = pack) => `'${relative(from, path).split(sep).join('/')}'`
  const fromTests = (path: string) => way(join(root, path), join(pack, 'test'))
  return text
    .replace(`'../agents/contract.ts'`, way(join(plugins, 'agents/contract.ts')))
    .replace(`import t from 'tap'`, `import { join } from 'node:path'\nimport t from 'tap'`)
    .replace(`'../../../test/boot.ts'`, fromTests('test/boot.ts'))
    .replace(
      `'../../../test/resource.ts'\n`,
      `${fromTests('test/resource.ts')}\n\nconst folders = [join(import.meta.dirname, '../..')]\n`
    )
    .replaceAll(/boot\(t, ('[^']+')\)/g, 'boot(t, $1, { folders })')
}

/** A shape of the API's description has one meaning, whichever pack it comes from. */
async function checkShapes(name: string, { write }: Wording): Promise<void> {
  const mine = ['PaperClip', 'NewPaperClip', 'PaperClipChanges'].map(write)
  for await (const surface of glob('*/surface.md', { cwd: plugins })) {
    const text = await readFile(join(plugins, surface), 'utf8')
    const taken = mine.find((title) => text.includes(`- **${title}** `))
    if (taken)
      throw new Error(`${name}: ${taken} is a shape of ${dirname(surface)} already; choose another name`)
  }
}

/** Lines break where the names in them end, so each name has its own; without Biome they stay as they are. */
async function format(folder: string): Promise<void> {
  const biome = join(root, 'node_modules/@biomejs/biome/bin/biome')
  if (!existsSync(biome)) return
  const args = ['check', '--write', `--config-path=${root}`, '--vcs-enabled=false', folder]
  await promisify(execFile)(process.execPath, [biome, ...args], { cwd: root })
}
