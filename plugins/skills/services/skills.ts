import type { Kernel, Owned, Principal, Searching, Trx, Verb } from 'agent-platform'
import { conflict, invalid, notFound, owned, typeOfId } from 'agent-platform'
import type { FileContent } from '../format/files.ts'
import { checkFiles, describeFile, inOrder, resolveFiles } from '../format/files.ts'
import { checkDefinition } from '../format/skill-md.ts'
import type { Definition } from '../schemas/definition.ts'
import type { NewSkill, Skill, SkillChanges, SkillSummary } from '../schemas/skills.ts'
import { SkillSummary as Summary, skills } from '../schemas/skills.ts'
import type { SkillSettings } from '../settings.ts'
import type { AttachmentStore } from '../stores/attachments.ts'
import type { FileStore } from '../stores/files.ts'
import type { SkillRow, SkillStore } from '../stores/skills.ts'
import type { VersionStore } from '../stores/versions.ts'
import type { GivenSkills } from './given-skills.ts'
import { freeSlug, isReserved } from './slugs.ts'

/** What a skill was in one of its versions. */
export interface PastSkill extends Definition, Pick<Skill, 'version' | 'files'> {
  /** When it became that. */
  readonly at: string
}
interface About {
  readonly slug?: string | undefined
  readonly origin: Skill['origin']
  readonly id?: string
  readonly past?: {
    /** Of the skill as it is. */
    readonly current: number
    readonly versions: readonly PastSkill[]
    /** Files of these. */
    contents(): AsyncIterable<FileContent>
  }
}

export type SkillService = ReturnType<typeof createSkillService>

interface Deps extends Pick<Kernel, 'knex' | 'transaction' | 'facts'> {
  settings: SkillSettings
  skillStore: SkillStore
  fileStore: FileStore
  versionStore: VersionStore
  attachmentStore: AttachmentStore
  givenSkills: GivenSkills
}

/** What a fact says of one: neither its instructions nor its files. */
const shown = (skill: Skill): SkillSummary =>
  Object.fromEntries(
    Object.keys(Summary.properties).map((name) => [name, skill[name as keyof Skill]])
  ) as SkillSummary

export function createSkillService(deps: Deps) {
  const { knex, transaction, facts, settings, skillStore, fileStore, versionStore, attachmentStore } = deps

  /** By id, or by the slug that it has in the project of the principal; an agent may read what it was given. */
  async function find(by: Principal, idOrSlug: string, verb: Verb): Promise<SkillRow & Owned> {
    const isId = typeOfId(idOrSlug) === 'skill'
    const found = await (isId ? skills.find(knex, idOrSlug) : skillStore.findBySlug(by.project, idOrSlug))
    const { project, id } = by
    const granted =
      by.type === 'agent' &&
      verb === 'read' &&
      found &&
      (await attachmentStore.findAttached(project, id, found.id))
    return owned(by, found, skills.what, verb, { granted: granted === true })
  }

  const refuseReserved = (slug: string) => {
    if (isReserved(slug)) throw invalid('/slug', `/slug must not be ${slug}: that is a name of the platform`)
  }

  async function claimSlug(trx: Trx, project: string, slug: string): Promise<void> {
    await skillStore.lockSlugs(trx, project)
    const taken = await skillStore.findSlugs(trx, project, [slug])
    if (taken.has(slug)) throw conflict('Another skill of the project has that slug', { code: 'slug_taken' })
  }

  async function slugFor(trx: Trx, project: string, name: string): Promise<string> {
    await skillStore.lockSlugs(trx, project)
    return freeSlug(name, (slugs) => skillStore.findSlugs(trx, project, slugs))
  }

  function create(by: Principal, input: NewSkill, origin: Skill['origin'] = 'created'): Promise<Skill> {
    const { slug, files: given = [], name, description, ...rest } = input
    const { files, contents } = resolveFiles(given, [])
    const empty = {
      license: null,
      compatibility: null,
      metadata: {},
      allowedTools: [],
      extensions: {},
      instructions: ''
    }
    checkFiles(files, settings, '/files')
    return insert(by, { ...empty, ...rest, name, description }, contents, { slug, origin })
  }

  /** `contents` are its files, checked before, as those of its past are. */
  async function insert(
    by: Principal,
    definition: Definition,
    contents: readonly FileContent[],
    { slug: wanted, origin, id, past }: About
  ): Promise<Skill> {
    const { project, owner } = by
    const checked = await checkDefinition(definition)
    if (wanted !== undefined) refuseReserved(wanted)
    const files = inOrder(contents.map(describeFile))
    return transaction(async (trx) => {
      if (wanted !== undefined) await claimSlug(trx, project, wanted)
      const slug = wanted ?? (await slugFor(trx, project, checked.name))
      const known = { ...(id !== undefined && { id }), ...(past && { version: past.current }) }
      const row = await skills.insert(trx, { ...checked, ...known, project, owner, slug, files, origin })
      await fileStore.insert(trx, row, contents)
      for await (const content of past?.contents() ?? []) await fileStore.insert(trx, row, [content])
      for (const { at, version, ...then } of past?.versions ?? [])
        await versionStore.insert(trx, { ...row, ...then, version, createdAt: at, updatedAt: at })
      await versionStore.insert(trx, row)
      await facts.record(trx, 'skills.created', by, { subject: row.id, owner, data: shown(row) })
      return row
    })
  }

  const list = (by: Principal, page: Searching) => skillStore.list(by, page)

  /** As it is, or as it was in one of its versions. */
  async function read(by: Principal, idOrSlug: string, version?: number): Promise<SkillRow> {
    const found = await find(by, idOrSlug, 'read')
    if (version === undefined || version === found.version) return found
    const past = await versionStore.find(found.project, found.id, version)
    if (!past) throw notFound('Version of the skill')
    return { ...past, project: found.project }
  }

  const contentsOf = ({ project, id, files }: SkillRow) => fileStore.list(project, id, files)

  async function update(
    by: Principal,
    idOrSlug: string,
    changes: SkillChanges,
    version?: number
  ): Promise<Skill> {
    const found = await find(by, idOrSlug, 'change')
    const { files: given, ...fields } = changes
    if (fields.slug !== undefined) refuseReserved(fields.slug)
    const row = await transaction(async (trx) => {
      const before = await skills.lock(trx, found, version)
      const checked = await checkDefinition({ ...before, ...fields } as Definition)
      const { files, contents } = given
        ? resolveFiles(given, before.files)
        : { files: before.files, contents: [] }
      if (given) checkFiles(files, settings, '/files')
      if (fields.slug !== undefined && fields.slug !== before.slug)
        await claimSlug(trx, before.project, fields.slug)
      const { description, instructions } = checked
      const { row, isChanged } = await skills.update(trx, found, {
        ...fields,
        description,
        instructions,
        files
      })
      if (!isChanged) return row
      await fileStore.insert(trx, row, contents)
      await versionStore.insert(trx, row)
      await versionStore.removeOld(trx, row, settings.skillVersions)
      await facts.record(trx, 'skills.updated', by, { subject: row.id, owner: row.owner, data: shown(row) })
      return row
    })
    await changed(row)
    return row
  }

  async function remove(by: Principal, idOrSlug: string, version?: number) {
    const found = await find(by, idOrSlug, 'change')
    const { project, id, owner } = found
    const agents = await attachmentStore.listAgents(project, id)
    await transaction(async (trx) => {
      await skills.remove(trx, found, version)
      await versionStore.removeOfSkill(trx, project, id)
      await facts.record(trx, 'skills.deleted', by, { subject: id, owner, data: { id } })
    })
    for (const agentId of agents) deps.givenSkills.changed(project, agentId)
    return { id, deleted: true as const }
  }

  /** What its agents are told of it is another one. */
  async function changed({ project, id }: SkillRow): Promise<void> {
    for (const agentId of await attachmentStore.listAgents(project, id))
      deps.givenSkills.changed(project, agentId)
  }

  return { find, create, insert, list, read, contentsOf, update, remove }
}
