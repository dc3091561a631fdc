import { createPathCheck, invalid, tooLarge, unlessAborted } from 'agent-platform'
import type { ComputerFile, Computers } from '../../computers/contract.ts'
import type { Output } from '../publications/service.ts'

/** Of one question. */
const READ_BYTES = 4_194_304
const NAMES = 1_000

/** Whether a file is shown by previews: not what is kept beside a project, such as its packages and the folder of Git. */
export const isPublished = (path: string): boolean =>
  path
    .split('/')
    .every((name) => name !== 'node_modules' && (!name.startsWith('.') || name === '.well-known'))

interface Place {
  read(path: string, offset: number, length: number): Promise<ComputerFile>
  readonly signal: AbortSignal
  readonly most: number
}

/** Files of a computer, as the principal may read them: what it answers is a stranger's. */
export const placeIn = (
  computers: Computers,
  by: Parameters<Computers['read']>[0],
  agentId: string,
  limits: { signal: AbortSignal; most: number }
): Place => ({
  ...limits,
  read: (path, offset, length) =>
    unlessAborted(limits.signal, computers.read(by, agentId, { path, offset, length, encoding: 'base64' }))
})

/** All files below a folder of a computer; links and what else is no file are left out. */
export async function outputsOf(place: Place, folder: string): Promise<Output[]> {
  const check = createPathCheck()
  const outputs: Output[] = []
  const folders = ['']
  for (let at = folders.shift(); at !== undefined; at = folders.shift()) {
    for (let offset: number | null = 0; offset !== null; ) {
      const listed: ComputerFile = await place.read(`${folder}/${at}`, offset, NAMES)
      if (listed.type !== 'folder') throw invalid('/outputFolder', 'The output is no folder', 'nothing_built')
      for (const { name, type, size } of listed.entries ?? []) {
        const path = `${at}${name}`
        if (!isPublished(path) || (type !== 'file' && type !== 'folder')) continue
        const fault = name.includes('/')
          ? 'has a slash in its name'
          : check(type === 'folder' ? `${path}/` : path)
        if (fault !== undefined)
          throw invalid('/outputFolder', `A file of the output ${fault}`, 'path_refused')
        if (type === 'folder') folders.push(`${path}/`)
        else outputs.push({ path, size, content: () => contentOf(place, `${folder}/${path}`, size) })
        if (outputs.length + folders.length > place.most)
          throw tooLarge(`At most ${place.most} files are published`, { code: 'too_many_files' })
      }
      offset = (listed.entries ?? []).length === 0 ? null : listed.nextOffset
    }
  }
  return outputs
}

async function* contentOf(place: Place, path: string, size: number): AsyncGenerator<Buffer> {
  let offset = 0
  while (offset < size) {
    const { content, type } = await place.read(path, offset, READ_BYTES)
    const bytes = Buffer.from(content ?? '', 'base64')
    if (type !== 'file' || bytes.length === 0 || offset + bytes.length > size)
      throw invalid('/outputFolder', 'The output was changed while it was read', 'output_changed')
    offset += bytes.length
    yield bytes
  }
}
