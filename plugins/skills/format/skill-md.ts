import { depthOf, invalid, readYaml, YAML_CHARACTERS } from 'agent-platform'
import { Definition } from '../schemas/definition.ts'
import { schemaCheck } from './schema-check.ts'

const MAX_LEVELS = 20
const KNOWN = ['name', 'description', 'license', 'compatibility', 'metadata', 'allowed-tools']

const check = schemaCheck(Definition)

/**
 * A skill as a SKILL.md says it: YAML between two lines of `---`, then Markdown. 400 at `param` for what is none. Values
 * that the format knows are text, however YAML would read them; aliases are refused.
 */
export async function parseSkillMd(text: string, param: string): Promise<Definition> {
  const fail = (reason: string) => invalid(param, `SKILL.md ${reason}`, 'skill_invalid')
  if (text.includes('\0')) throw fail('is no text')
  const { front, body } = split(text) ?? {}
  if (front === undefined || body === undefined)
    throw fail('must begin with YAML between two lines of "---": its front matter')
  const read = (values: 'text' | 'typed') =>
    readYaml(front, values).catch((error: Error) => {
      throw fail(`has a front matter that ${error.message}`)
    })
  const texts = await read('text')
  const others = Object.keys(texts).filter((name) => !KNOWN.includes(name))
  const values = others.length > 0 ? await read('typed') : {}
  const definition = {
    name: trimmed(texts.name),
    description: trimmed(texts.description),
    license: trimmed(texts.license) || null,
    compatibility: trimmed(texts.compatibility) || null,
    metadata: texts.metadata || {},
    allowedTools: toolsOf(texts['allowed-tools']),
    extensions: Object.fromEntries(others.map((name) => [name, values[name]])),
    instructions: tidy(body)
  }
  const fault = check(definition)
  if (fault) throw fail(`is not valid: ${nameOf(fault.at)} ${fault.text}`)
  return definition as Definition
}

/** The same skill, as a file; parsed, it is the same again. */
export async function printSkillMd(definition: Definition): Promise<string> {
  const { name, description, license, compatibility, metadata, allowedTools, extensions } = definition
  const front = {
    name,
    description,
    ...(license !== null && { license }),
    ...(compatibility !== null && { compatibility }),
    ...(Object.keys(metadata).length > 0 && { metadata }),
    ...(allowedTools.length > 0 && { 'allowed-tools': allowedTools.join(' ') }),
    ...extensions
  }
  const { stringify } = await import('yaml')
  const text = stringify(front, { lineWidth: 0, aliasDuplicateObjects: false })
  if (text.length > YAML_CHARACTERS)
    throw invalid('/metadata', `The front matter is longer than ${YAML_CHARACTERS} characters`)
  return `---\n${text}---\n${definition.instructions === '' ? '' : `\n${definition.instructions}\n`}`
}

/** 400 unless it is what `parseSkillMd` gives of what `printSkillMd` makes of it. */
export async function checkDefinition(definition: Definition): Promise<Definition> {
  const name = Object.keys(definition.extensions).find((name) => KNOWN.includes(name))
  if (name) throw invalid('/extensions', `/extensions must not have ${name}, which has a field of its own`)
  if (depthOf(definition.extensions, MAX_LEVELS) > MAX_LEVELS)
    throw invalid('/extensions', `/extensions must not be nested more than ${MAX_LEVELS} levels deep`)
  const tools = definition.allowedTools
  const at = tools.findIndex((tool) => toolsIn(tool).length !== 1)
  if (at >= 0) throw invalid(`/allowedTools/${at}`, `/allowedTools/${at} must be the name of one tool`)
  const tidied = {
    ...definition,
    description: definition.description.trim(),
    instructions: tidy(definition.instructions)
  }
  await printSkillMd(tidied)
  return tidied
}

function split(text: string): { front: string; body: string } | undefined {
  const begin = /^\uFEFF?---[ \t]*\r?\n/.exec(text)
  if (!begin) return undefined
  const closing = /^---[ \t]*\r?$/gm
  closing.lastIndex = begin[0].length
  const end = closing.exec(text)
  return end
    ? { front: text.slice(begin[0].length, end.index), body: text.slice(closing.lastIndex) }
    : undefined
}

/** Without blank lines around it. */
const tidy = (body: string): string => body.replace(/^(?:[ \t]*\r?\n)+/, '').trimEnd()

const trimmed = (value: unknown): unknown => (typeof value === 'string' ? value.trim() : value)

/** Names between white space; what stands in parentheses belongs to its name: `Bash(git add:*) Read`. */
const toolsIn = (text: string): string[] => text.match(/(?:\([^)]*\)?|[^\s(])+/g) ?? []

const toolsOf = (value: unknown): unknown => (typeof value === 'string' ? toolsIn(value) : (value ?? []))

const nameOf = (pointer: string) => pointer.slice(1).replace('allowedTools', 'allowed-tools') || 'it'
