import { isUtf8 } from 'node:buffer'
import { buffer } from 'node:stream/consumers'
import { invalid, readArchive } from 'agent-platform'
import type { Definition } from '../schemas/definition.ts'
import type { SkillSettings } from '../settings.ts'
import type { FileContent } from './files.ts'
import { inOrder } from './files.ts'
import { parseSkillMd, printSkillMd } from './skill-md.ts'

type Limits = Pick<SkillSettings, 'skillBytes' | 'skillFiles'>

/** Those of packers that write times say this one, in every time zone: the first that the format knows. */
const TIME = new Date(1980, 0, 1)

/** A skill from a ZIP archive of its folder, or of what is in it. 400 and 413 at `param`. */
export async function unpackSkill(bytes: Buffer, { skillBytes, skillFiles }: Limits, param: string) {
  // Folders are entries, too.
  const limits = { entries: 2 * skillFiles + 100, bytes: skillBytes, fileBytes: skillBytes }
  const all: FileContent[] = []
  for await (const file of readArchive(bytes, limits, param))
    all.push({ path: file.path, executable: file.isExecutable, content: await file.read() })
  const fail = (reason: string) => invalid(param, `The archive ${reason}`, 'skill_invalid')
  const { found, folder } = rootOf(all, fail)
  if (!isUtf8(found.content)) throw invalid(param, 'SKILL.md is not UTF-8', 'skill_invalid')
  const files = all
    .filter((file) => file !== found)
    .map((file) => ({ ...file, path: file.path.slice(folder.length) }))
  return { definition: await parseSkillMd(found.content.toString(), param), files: inOrder(files) }
}

/** The SKILL.md of an archive, and the folder of the skill. */
function rootOf(all: readonly FileContent[], fail: (reason: string) => Error) {
  const depth = ({ path }: FileContent) => path.split('/').length
  const found = all.filter(({ path }) => /(?:^|\/)skill\.md$/i.test(path))
  const least = Math.min(...found.map(depth))
  const [first, ...others] = found.filter((file) => depth(file) === least)
  if (!first) throw fail('has no SKILL.md')
  if (others.length > 0) throw fail('has several skills: import each by itself')
  const folder = first.path.slice(0, -'SKILL.md'.length)
  if (all.some(({ path }) => !path.startsWith(folder)))
    throw fail('has files outside of the folder of its SKILL.md')
  return { found: first, folder }
}

/** A ZIP archive of the folder of a skill: of the same skill the same bytes. Stored, so that no packer has a say in them. */
export async function packSkill(definition: Definition, files: readonly FileContent[]): Promise<Buffer> {
  const { ZipFile } = await import('yazl')
  const archive = new ZipFile()
  const add = (path: string, content: Buffer, executable: boolean) =>
    archive.addBuffer(content, `${definition.name}/${path}`, {
      mtime: TIME,
      mode: executable ? 0o100755 : 0o100644,
      compress: false,
      forceDosTimestamp: true
    })
  add('SKILL.md', Buffer.from(await printSkillMd(definition)), false)
  for (const { path, content, executable } of inOrder(files)) add(path, content, executable)
  archive.end()
  return buffer(archive.outputStream)
}
