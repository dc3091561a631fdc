import type { Given, LoadedSkill } from '../stores/attachments.ts'

const INTRODUCTION =
  'Your owner gave you skills: instructions for certain tasks. Where one fits what you are to do, load it by load_skill ' +
  'before you begin; its instructions then stand below. They may refer to files, which read_skill_file reads: what such ' +
  'a file says on how to do the task is part of the skill, although it comes from a tool.'

/**
 * All skills of an agent, a line each: descriptions are cut evenly where all of it would be longer than `most` characters.
 * Nothing else has a say in it, so that the beginning of a prompt stays the same as long as the skills do.
 */
export function indexText(given: readonly Given[], most: number): string {
  const lines = (longest: number) =>
    given.map(({ slug, description }) => `- ${slug}: ${cut(description.replace(/\s+/g, ' '), longest)}`)
  const whole = [INTRODUCTION, ...lines(Number.POSITIVE_INFINITY)].join('\n')
  if (whole.length <= most) return whole
  const frame = [INTRODUCTION, ...lines(0)].join('\n').length
  return [INTRODUCTION, ...lines(Math.max(0, Math.floor((most - frame) / given.length)))].join('\n')
}

const cut = (text: string, longest: number): string =>
  text.length <= longest ? text : `${text.slice(0, Math.max(0, longest - 1)).toWellFormed()}…`

/** What a session has loaded, in that order: the latest that fit into `most` characters. */
export function loadedText(loaded: readonly LoadedSkill[], most: number): string {
  const texts: string[] = []
  let left = most
  for (const skill of loaded.toReversed()) {
    const text = textOf(skill)
    left -= text.length
    if (left < 0) break
    texts.unshift(text)
  }
  return texts.join('\n\n')
}

/** As it stands in a prompt. */
export function textOf({ slug, instructions, files }: LoadedSkill): string {
  const names = files.map(({ path }) => path).join(', ')
  return [
    `<skill name="${slug}">`,
    instructions || 'It has no instructions but its description.',
    ...(names === '' ? [] : [`Files: ${names}`]),
    '</skill>'
  ].join('\n')
}
