import { Readable } from 'node:stream'
import type { Kernel, Principal } from 'agent-platform'
import { Closed, canonicalJson, invalid, Time } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import type { ArchivePart, Importing, ReadRecord } from '../../archives/contract.ts'
import { checkFiles, describeFile, inOrder } from '../format/files.ts'
import { checkDefinition } from '../format/skill-md.ts'
import { definitionFields, SkillFile, skillName } from '../schemas/definition.ts'
import { skills } from '../schemas/skills.ts'
import type { SkillSettings } from '../settings.ts'
import type { AttachmentStore } from '../stores/attachments.ts'
import type { FileStore } from '../stores/files.ts'
import type { SkillStore } from '../stores/skills.ts'
import type { VersionStore } from '../stores/versions.ts'
import type { AttachmentService } from './attachments.ts'
import type { PastSkill, SkillService } from './skills.ts'
import { isReserved } from './slugs.ts'

interface Deps extends Pick<Kernel, 'knex'> {
  settings: SkillSettings
  attachmentService: AttachmentService
  attachmentStore: AttachmentStore
  fileStore: FileStore
  skillService: SkillService
  skillStore: SkillStore
  versionStore: VersionStore
}

const { path, size, executable } = SkillFile.properties
const File = Closed({ path, size, executable, sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }) })
const version = Type.Integer({ minimum: 1, maximum: 1_000_000_000 })
const fields = { ...definitionFields, files: Type.Array(File, { maxItems: 2_000 }) }
const Skill = Closed({
  id: Type.String({ maxLength: 100 }),
  slug: skillName,
  ...fields,
  version: Type.Optional(version)
})
const Past = Closed({ ...fields, version, at: Time })
type Skill = Static<typeof Skill>
type Past = Static<typeof Past>
interface WithPast {
  readonly skill: Skill
  /** The oldest first. */
  readonly past: Past[]
}

/** Skills that the agent was given, with their files, as they are and as they were. */
export function createArchivePart(deps: Deps): ArchivePart {
  const { knex, settings, attachmentService, attachmentStore, fileStore, skillService, skillStore } = deps
  const { versionStore } = deps

  /** The one of that slug, where it is the principal's and just like it. */
  async function sameAs(by: Principal, skill: Skill): Promise<string | undefined> {
    const found = await skillStore.findBySlug(by.project, skill.slug)
    if (found?.owner !== by.owner) return undefined
    return canonicalJson(contentOf(found)) === canonicalJson(contentOf(skill)) ? found.id : undefined
  }

  async function make({ by, reserve, blob }: Importing, { skill, past }: WithPast): Promise<string> {
    const { id: _, slug: wanted, files, version: current, ...definition } = skill
    checkFiles(files, settings, '/fileId')
    const contentsOf = (some: Skill['files']) =>
      Array.fromAsync(some, async ({ path, executable, sha256 }) => ({
        path,
        executable,
        content: Buffer.concat(await Array.fromAsync(blob(sha256).open()))
      }))
    const checkSizes = (some: Skill['files']) => {
      if (some.some(({ sha256, size }) => blob(sha256).size !== size))
        throw invalid('/fileId', 'A file of a skill has another size', 'archive_invalid')
    }
    checkSizes(files)
    const versions: PastSkill[] = []
    const others = new Map<string, Skill['files'][number]>()
    for (const { files: before, ...then } of past) {
      checkFiles(before, settings, '/fileId')
      checkSizes(before)
      for (const file of before) others.set(file.sha256, file)
      const described = (await contentsOf(before)).map(describeFile)
      versions.push({ ...then, ...(await checkDefinition(definitionOf(then))), files: inOrder(described) })
    }
    for (const { sha256 } of files) others.delete(sha256)
    const isTaken = isReserved(wanted) || (await skillStore.findBySlug(by.project, wanted)) !== undefined
    const id = await reserve('skill')
    await skillService.insert(by, definition, await contentsOf(files), {
      ...(!isTaken && { slug: wanted }),
      ...(current !== undefined && {
        past: {
          current,
          versions,
          async *contents() {
            for (const file of others.values()) yield* await contentsOf([file])
          }
        }
      }),
      origin: 'imported',
      id
    })
    return id
  }

  /** Of what came before a skill so much as is kept of one here. */
  async function* skillsOf(records: AsyncIterable<ReadRecord>): AsyncGenerator<WithPast, void> {
    let read: WithPast | undefined
    let before = 0
    for await (const { kind, data } of records) {
      if (kind === 'skill') {
        if (read) yield read
        read = { skill: data as Skill, past: [] }
        before = 0
        continue
      }
      const past = data as Past
      const { version: current = 1 } = read?.skill ?? {}
      if (!read || past.version <= before || past.version >= current)
        throw invalid('/fileId', 'The archive has a version of a skill that is none', 'archive_invalid')
      before = past.version
      if (past.version > current - settings.skillVersions) read.past.push(past)
    }
    if (read) yield read
  }

  return {
    version: 2,
    what: 'the skills that it was given, with their past versions',
    records: { skill: Skill, past: Past },

    async *export({ agent: { project, id: agentId }, blob }) {
      for (const { id } of await attachmentStore.listGiven(project, agentId)) {
        const skill = await skills.find(knex, id)
        if (!skill) continue
        const past = await versionStore.listPast(skill)
        for (const { sha256, size } of [skill, ...past].flatMap(({ files }) => files))
          blob({
            sha256,
            size,
            open: async () => Readable.from([(await fileStore.find(project, id, sha256)) ?? Buffer.alloc(0)])
          })
        const { slug, version } = skill
        yield { kind: 'skill', data: { id, slug, version, ...contentOf(skill) } }
        for (const then of past)
          yield { kind: 'past', data: { version: then.version, at: then.updatedAt, ...contentOf(then) } }
      }
    },

    async examine(_, records) {
      for await (const _skill of skillsOf(records));
    },

    async import(into, records) {
      for await (const read of skillsOf(records)) {
        const { skill } = read
        const id = (await sameAs(into.by, skill)) ?? (await make(into, read))
        into.map(skill.id, id)
        await attachmentService.set(into.by, id, into.agentId, true)
      }
    },

    async undo(by, ids) {
      for (const id of ids) if (await skills.find(knex, id)) await skillService.remove(by, id)
    }
  }
}

const definitionOf = (skill: Omit<Past, 'version' | 'at' | 'files'>) => ({
  name: skill.name,
  description: skill.description,
  license: skill.license,
  compatibility: skill.compatibility,
  metadata: skill.metadata,
  allowedTools: skill.allowedTools,
  extensions: skill.extensions,
  instructions: skill.instructions
})

const contentOf = (skill: Omit<Past, 'version' | 'at'>) => ({
  ...definitionOf(skill),
  files: skill.files.map(({ path, size, executable, sha256 }) => ({ path, size, executable, sha256 }))
})
