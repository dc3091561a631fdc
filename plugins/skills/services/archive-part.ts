import { Readable } from 'node:stream'
import type { Kernel, Principal } from 'agent-platform'
import { Closed, canonicalJson, invalid } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import type { ArchivePart, Importing } from '../../archives/contract.ts'
import { checkFiles } from '../format/files.ts'
import { definitionFields, SkillFile, skillName } from '../schemas/definition.ts'
import { skills } from '../schemas/skills.ts'
import type { SkillSettings } from '../settings.ts'
import type { AttachmentStore } from '../stores/attachments.ts'
import type { FileStore } from '../stores/files.ts'
import type { SkillStore } from '../stores/skills.ts'
import type { AttachmentService } from './attachments.ts'
import type { SkillService } from './skills.ts'
import { isReserved } from './slugs.ts'

interface Deps extends Pick<Kernel, 'knex'> {
  settings: SkillSettings
  attachmentService: AttachmentService
  attachmentStore: AttachmentStore
  fileStore: FileStore
  skillService: SkillService
  skillStore: SkillStore
}

const { path, size, executable } = SkillFile.properties
const File = Closed({ path, size, executable, sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }) })
const Skill = Closed({
  id: Type.String({ maxLength: 100 }),
  slug: skillName,
  ...definitionFields,
  files: Type.Array(File, { maxItems: 2_000 })
})
type Skill = Static<typeof Skill>

/** Skills that the agent was given, as they are now, with their files. */
export function createArchivePart(deps: Deps): ArchivePart {
  const { knex, settings, attachmentService, attachmentStore, fileStore, skillService, skillStore } = deps

  /** The one of that slug, where it is the principal's and just like it. */
  async function sameAs(by: Principal, skill: Skill): Promise<string | undefined> {
    const found = await skillStore.findBySlug(by.project, skill.slug)
    if (found?.owner !== by.owner) return undefined
    return canonicalJson(contentOf(found)) === canonicalJson(contentOf(skill)) ? found.id : undefined
  }

  async function make({ by, reserve, blob }: Importing, skill: Skill): Promise<string> {
    const { id: _, slug: wanted, files, ...definition } = skill
    checkFiles(files, settings, '/fileId')
    const contents = []
    for (const { path, executable, sha256, size } of files) {
      const bytes = blob(sha256)
      if (bytes.size !== size)
        throw invalid('/fileId', 'A file of a skill has another size', 'archive_invalid')
      contents.push({ path, executable, content: Buffer.concat(await Array.fromAsync(bytes.open())) })
    }
    const isTaken = isReserved(wanted) || (await skillStore.findBySlug(by.project, wanted)) !== undefined
    const id = await reserve('skill')
    const about = { ...(!isTaken && { slug: wanted }), origin: 'imported' as const, id }
    await skillService.insert(by, definition, contents, about)
    return id
  }

  return {
    version: 1,
    what: 'the skills that it was given',
    records: { skill: Skill },

    async *export({ agent: { project, id: agentId }, blob }) {
      for (const { id } of await attachmentStore.listGiven(project, agentId)) {
        const skill = await skills.find(knex, id)
        if (!skill) continue
        for (const { sha256, size } of skill.files)
          blob({
            sha256,
            size,
            open: async () => Readable.from([(await fileStore.find(project, id, sha256)) ?? Buffer.alloc(0)])
          })
        yield { kind: 'skill', data: { id, slug: skill.slug, ...contentOf(skill) } }
      }
    },

    async import(into, records) {
      for await (const { data } of records) {
        const skill = data as Skill
        const id = (await sameAs(into.by, skill)) ?? (await make(into, skill))
        into.map(skill.id, id)
        await attachmentService.set(into.by, id, into.agentId, true)
      }
    },

    async undo(by, ids) {
      for (const id of ids) if (await skills.find(knex, id)) await skillService.remove(by, id)
    }
  }
}

const contentOf = (skill: Omit<Skill, 'id' | 'slug'>) => ({
  name: skill.name,
  description: skill.description,
  license: skill.license,
  compatibility: skill.compatibility,
  metadata: skill.metadata,
  allowedTools: skill.allowedTools,
  extensions: skill.extensions,
  instructions: skill.instructions,
  files: skill.files.map(({ path, size, executable, sha256 }) => ({ path, size, executable, sha256 }))
})
