import { readYaml } from 'agent-platform'

export interface FrontMatter {
  readonly title?: string
  readonly tags: readonly string[]
  readonly aliases: readonly string[]
  /** Where the text behind it begins. */
  readonly end: number
}

const fence = /^\uFEFF?---[ \t]*\r?\n([\s\S]{0,8192}?)\r?\n---[ \t]*(?:\r?\n|$)/
const MOST = 100

/** What stands before the text in YAML; what is not readable counts as none, and as text. */
export async function frontMatterOf(text: string): Promise<FrontMatter> {
  const none = { tags: [], aliases: [], end: 0 }
  const found = fence.exec(text)
  if (!found) return none
  const value = await readYaml(found[1] as string).catch(() => undefined)
  if (!value) return none
  const { title, tags, tag, aliases, alias } = value
  return {
    ...(typeof title === 'string' && title.trim() !== '' && { title: title.trim() }),
    tags: words(tags ?? tag, /[\s,]+/),
    aliases: words(aliases ?? alias, /,/),
    end: found[0].length
  }
}

function words(value: unknown, separator: RegExp): string[] {
  const all = typeof value === 'string' ? value.split(separator) : Array.isArray(value) ? value : []
  return all
    .filter((word) => typeof word === 'string' || typeof word === 'number')
    .map((word) => String(word).trim().replace(/^#/, ''))
    .filter((word) => word !== '' && word.length <= 200)
    .slice(0, MOST)
}
