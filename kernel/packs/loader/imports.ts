import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { LoadFault, within } from '../faults.ts'

/** Imports a file of a folder. Whatever it throws becomes a LoadFault with file and line where they are known. */
export async function importFile(folder: string, file: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    return await within(`import of ${file}`, () => import(pathToFileURL(join(folder, file)).href))
  } catch (error) {
    throw importFault(error, pathToFileURL(join(folder, '/')).href)
  }
}

/** Directories before the name of a file; the path of a route has no file at its end. */
const directories = /(?<![\w.])(file:\/\/)?\/([^\s'"`()/]+\/)*(?=[^\s'"`()/]+\.\w)/g

/** Paths become relative to the folder; of any other file of this machine its name is left. */
function importFault(thrown: unknown, folder: string): LoadFault {
  const { message, stack = '' } = thrown instanceof Error ? thrown : new Error(String(thrown))
  const place = /^[^\s()]+?:\d+/.exec(stack.split(folder)[1] ?? '')?.[0]
  const said = message
    .replaceAll(/\s+/g, ' ')
    .replaceAll(folder, '')
    .replaceAll(fileURLToPath(folder), '')
    .replaceAll(directories, '')
  return new LoadFault(place ? `${place}: ${said}` : said, { cause: thrown })
}
