import { bytesOfBase64, invalid, tooLarge } from 'agent-platform'
import type { CodeProjectSettings } from '../settings.ts'
import type { CodeProjectRow, NewFile } from './schemas.ts'
import type { Written } from './store.ts'

export type Intake = ReturnType<typeof createIntake>
export type Size = Pick<CodeProjectRow, 'fileCount' | 'bytes'>

/** Files as they are sent, and how much they may be. */
export function createIntake({ settings }: { settings: CodeProjectSettings }) {
  /** Their bytes; 400 or 413 at the one that is wrong. One that stays as it is is left out. */
  function read(files: readonly NewFile[]): Written[] {
    const seen = new Set<string>()
    return files.flatMap(({ path, content, encoding }, index) => {
      const param = `/files/${index}`
      if (seen.has(path)) throw invalid(`${param}/path`, `${param}/path is there twice`)
      seen.add(path)
      if (content === null) return []
      const bytes = encoding === 'base64' ? bytesOfBase64(content) : Buffer.from(content)
      if (!bytes) throw invalid(`${param}/content`, `${param}/content must be base64`)
      if (bytes.length > settings.fileBytes)
        throw tooLarge(`A file has ${settings.fileBytes} bytes at most`, { param: `${param}/content` })
      return [{ path, bytes }]
    })
  }

  /** How much a project has with files of these sizes; 413 for too much. */
  const measure = (sizes: ReadonlyMap<string, number>): Size =>
    checked({ fileCount: sizes.size, bytes: [...sizes.values()].reduce((sum, it) => sum + it, 0) })

  /** 413 for more than a project may have. */
  function checked(size: Size, param = '/files'): Size {
    if (size.fileCount > settings.projectFiles)
      throw tooLarge(`A project has ${settings.projectFiles} files at most`, { param })
    if (size.bytes > settings.projectBytes)
      throw tooLarge(`A project has ${settings.projectBytes} bytes at most`, { param })
    return size
  }

  return { read, measure, checked }
}

/** Where in a request a file stood. */
export const paramOf = (files: readonly NewFile[], path: string): string =>
  `/files/${Math.max(
    0,
    files.findIndex((it) => it.path === path)
  )}/path`
