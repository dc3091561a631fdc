import { cp, mkdir, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { APP_ID } from '../manifest/schema.ts'
import { UsageError } from './platform.ts'

const template = fileURLToPath(new URL('../template', import.meta.url))

/** Writes a new app into a folder that is not there yet, or empty; the app is called as the folder is. */
export async function createApp(folder: string, print: (line: string) => void): Promise<void> {
  const target = resolve(folder)
  const id = basename(target)
  if (!new RegExp(APP_ID).test(id))
    throw new UsageError(
      `${id} is no id of an app: 3 to 48 small letters, digits and -, beginning with a letter`
    )
  await mkdir(target, { recursive: true })
  if ((await readdir(target)).length > 0) throw new UsageError(`${folder} is not empty`)
  await cp(template, target, { recursive: true })
  // A package cannot have it by its own name.
  await rename(join(target, 'gitignore'), join(target, '.gitignore'))
  const words = { APP_ID: id, APP_NAME: nameOf(id), ...(await versions()) }
  for (const name of await readdir(target, { recursive: true })) {
    const path = join(target, name)
    if (!(await stat(path)).isFile()) continue
    const text = await readFile(path, 'utf8')
    await writeFile(
      path,
      Object.entries(words).reduce((it, [word, by]) => it.replaceAll(word, by), text)
    )
  }
  print(`${nameOf(id)} is in ${folder}. Next:`)
  print(`  cd ${folder} && npm test`)
}

/** weather-desk: Weather desk */
const nameOf = (id: string) => `${id[0]?.toUpperCase()}${id.slice(1).replaceAll('-', ' ')}`

async function versions(): Promise<Readonly<Record<string, string>>> {
  // In the repository it lies one folder higher than in the package.
  const own = new URL('../package.json', import.meta.url)
  const text = await readFile(own, 'utf8').catch(() =>
    readFile(new URL('../../package.json', import.meta.url), 'utf8')
  )
  const { version, dependencies } = JSON.parse(text)
  return { SDK_VERSION: version, TYPEBOX_VERSION: dependencies.typebox.replace(/^\^/, '') }
}
