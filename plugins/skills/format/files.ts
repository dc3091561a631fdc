import { isUtf8 } from 'node:buffer'
import { hash } from 'node:crypto'
import { bytesOfBase64, createPathCheck, invalid, tooLarge } from 'agent-platform'
import type { GivenFile, SkillFile } from '../schemas/definition.ts'
import type { SkillSettings } from '../settings.ts'

export interface FileContent {
  readonly path: string
  readonly executable: boolean
  readonly content: Buffer
}

type Limits = Pick<SkillSettings, 'skillBytes' | 'skillFiles'>

const isText = (content: Buffer): boolean => isUtf8(content) && !content.includes(0)

export const describeFile = ({ path, executable, content }: FileContent): SkillFile => ({
  path,
  encoding: isText(content) ? 'utf8' : 'base64',
  size: content.length,
  sha256: hash('sha256', content),
  executable
})

/** In the order of their paths, whatever order they came in. */
export const inOrder = <T extends { readonly path: string }>(files: readonly T[]): T[] =>
  files.toSorted((one, other) => (one.path < other.path ? -1 : 1))

/** 400 for paths that could not be unpacked beside a SKILL.md, 413 for too many files or bytes. */
export function checkFiles(
  files: readonly Pick<SkillFile, 'path' | 'size'>[],
  limits: Limits,
  at: string
): void {
  if (files.length > limits.skillFiles)
    throw tooLarge(`A skill has at most ${limits.skillFiles} files`, { param: at, code: 'too_many_files' })
  const size = files.reduce((sum, file) => sum + file.size, 0)
  if (size > limits.skillBytes)
    throw tooLarge(`The files of a skill have at most ${limits.skillBytes} bytes`, {
      param: at,
      code: 'skill_too_large'
    })
  const faultOfPath = createPathCheck()
  faultOfPath('SKILL.md')
  for (const [index, { path }] of files.entries()) {
    const fault = path.endsWith('/') ? 'is a folder' : faultOfPath(path)
    if (fault)
      throw invalid(`${at}/${index}/path`, `${JSON.stringify(path.slice(0, 80))} ${fault}`, 'path_invalid')
  }
}

/** What clients give, as it is to be kept, and the contents that are new. `kept`: files that may be named by their SHA-256. */
export function resolveFiles(given: readonly GivenFile[], kept: readonly SkillFile[]) {
  const contents: FileContent[] = []
  const files = given.map((file, index): SkillFile => {
    const { path, content, encoding = 'utf8', sha256, executable = false } = file
    if (content !== undefined) {
      const whole = { path, executable, content: bytesOf(content, encoding, `/files/${index}/content`) }
      contents.push(whole)
      return describeFile(whole)
    }
    const known = kept.find((one) => one.sha256 === sha256)
    if (known) return { ...known, path, executable }
    const field = sha256 === undefined ? 'content' : 'sha256'
    throw invalid(
      `/files/${index}/${field}`,
      `/files/${index} must have content, or the sha256 of a file of the skill`
    )
  })
  return { files: inOrder(files), contents }
}

function bytesOf(content: string, encoding: 'utf8' | 'base64', param: string): Buffer {
  if (encoding === 'utf8') return Buffer.from(content)
  const bytes = bytesOfBase64(content)
  if (!bytes) throw invalid(param, `${param} is not base64`)
  return bytes
}
