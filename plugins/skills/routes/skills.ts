import type { App } from 'agent-platform'
import { ifMatch } from 'agent-platform'
import { packSkill } from '../format/archive.ts'
import { printSkillMd } from '../format/skill-md.ts'
import {
  createSkill,
  deleteSkill,
  importSkill,
  listSkills,
  readSkill,
  updateSkill
} from '../schemas/requests.ts'
import type { ImportService } from '../services/imports.ts'
import type { SkillService } from '../services/skills.ts'
import type { SkillSettings } from '../settings.ts'
import { readImport } from './import-bodies.ts'

interface Deps {
  skillService: SkillService
  importService: ImportService
  settings: SkillSettings
}

/** What base64, JSON or a form adds to the files, and the SKILL.md itself. */
const limitOf = ({ skillBytes }: SkillSettings) => Math.ceil(skillBytes * 1.4) + 1_048_576

/** What the caller would rather have than JSON. */
function formatOf(accept: string | undefined): 'json' | 'zip' | 'markdown' {
  const [first] = (accept ?? '').split(',')
  if (/^\s*application\/(?:x-)?zip\b/i.test(first ?? '')) return 'zip'
  return /^\s*text\/markdown\b/i.test(first ?? '') ? 'markdown' : 'json'
}

export function skillRoutes(app: App, { skillService, importService, settings }: Deps) {
  const config = { bodyLimit: limitOf(settings) }

  app.get('/skills', { schema: listSkills }, ({ principal, query }) => skillService.list(principal, query))

  app.post('/skills', { schema: createSkill, config }, async ({ principal, body }, reply) =>
    reply.code(201).send({ data: await skillService.create(principal, body) })
  )

  app.post(
    '/skills/import',
    { schema: importSkill, config: { ...config, body: 'raw' } },
    async (request, reply) => {
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
      const imported = await readImport(request.headers['content-type'], body)
      return reply.code(201).send({ data: await importService.run(request.principal, imported) })
    }
  )

  app.get('/skills/:id', { schema: readSkill }, async ({ principal, params, query, headers }, reply) => {
    const skill = await skillService.read(principal, params.id, query.version)
    const format = query.format ?? formatOf(headers.accept)
    reply.header('vary', 'accept').header('etag', `"${skill.version}"`)
    if (format === 'json') return reply.type('application/json').send({ data: skill })
    const isArchive = format === 'zip'
    const bytes = isArchive
      ? await packSkill(skill, await skillService.contentsOf(skill))
      : Buffer.from(await printSkillMd(skill))
    return reply
      .type(isArchive ? 'application/zip' : 'text/markdown; charset=utf-8')
      .header('x-content-type-options', 'nosniff')
      .header('content-disposition', `attachment; filename="${isArchive ? `${skill.name}.zip` : 'SKILL.md'}"`)
      .send(bytes)
  })

  app.put('/skills/:id', { schema: updateSkill, config }, async (request) => {
    const { principal, params, body } = request
    return { data: await skillService.update(principal, params.id, body, ifMatch(request)) }
  })

  app.delete('/skills/:id', { schema: deleteSkill }, async (request) => {
    const { principal, params } = request
    return { data: await skillService.remove(principal, params.id, ifMatch(request)) }
  })
}
