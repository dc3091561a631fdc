import { isUtf8 } from 'node:buffer'
import type { Principal } from 'agent-platform'
import { invalid } from 'agent-platform'
import { unpackSkill } from '../format/archive.ts'
import { checkFiles, describeFile } from '../format/files.ts'
import { parseSkillMd } from '../format/skill-md.ts'
import type { NewSkill, Skill } from '../schemas/skills.ts'
import type { SkillSettings } from '../settings.ts'
import type { SkillService } from './skills.ts'

export type ImportService = ReturnType<typeof createImportService>

/** What is to be imported: a definition, or the bytes of a SKILL.md or of an archive, which are at `param`. */
export type Imported = { readonly slug?: string | undefined } & (
  | { readonly definition: NewSkill }
  | { readonly bytes: Buffer; readonly param: string }
)

interface Deps {
  settings: SkillSettings
  skillService: SkillService
}

export function createImportService({ settings, skillService }: Deps) {
  async function read(bytes: Buffer, param: string) {
    if (bytes.subarray(0, 2).toString('latin1') === 'PK') return unpackSkill(bytes, settings, param)
    if (!isUtf8(bytes)) throw invalid(param, 'Neither a ZIP archive nor a SKILL.md', 'skill_invalid')
    return { definition: await parseSkillMd(bytes.toString(), param), files: [] }
  }

  async function run(by: Principal, imported: Imported): Promise<Skill> {
    const { slug } = imported
    if ('definition' in imported) {
      const { definition } = imported
      return skillService.create(by, { ...definition, ...(slug !== undefined && { slug }) }, 'imported')
    }
    const { definition, files } = await read(imported.bytes, imported.param)
    checkFiles(files.map(describeFile), settings, imported.param)
    return skillService.insert(by, definition, files, { slug, origin: 'imported' })
  }

  return { run }
}
