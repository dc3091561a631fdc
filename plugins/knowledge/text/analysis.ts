import type { MediaType } from '../schemas/documents.ts'
import { frontMatterOf } from './front-matter.ts'
import type { Link } from './links.ts'
import { linksOf, tagsOf } from './links.ts'
import { plainStructure, structureOf } from './markdown.ts'
import type { TextPassage } from './passages.ts'
import { passagesOf } from './passages.ts'

/** What a text says of itself and of others. */
export interface Analysis {
  /** Of its front matter, else its first heading. */
  readonly title: string | undefined
  readonly tags: string[]
  /** Other names for it. */
  readonly aliases: readonly string[]
  /** Those of the document at this path: what is relative begins at its folder. */
  links(path: string): readonly Link[]
  readonly passages: readonly TextPassage[]
}

/** Formats whose text is Markdown when it lies here. */
const isMarkdown = (mediaType: MediaType): boolean =>
  mediaType !== 'text/plain' && mediaType !== 'application/pdf'

/**
 * Reads the text of a document; of one that is long between what others do. No passage goes on beyond its page; `pages` is
 * where each begins.
 */
export async function analyse(
  text: string,
  mediaType: MediaType,
  pages: readonly number[] | null = null
): Promise<Analysis> {
  if (!isMarkdown(mediaType)) {
    const passages = pages ? pagedPassages(text, pages) : passagesOf(text, plainStructure(text, 0))
    return { title: undefined, tags: [], aliases: [], links: () => [], passages }
  }
  const front = await frontMatterOf(text)
  const structure = await structureOf(text, front.end)
  const tags = new Set([...front.tags.map((tag) => tag.toLowerCase()), ...tagsOf(text, front.end, structure)])
  return {
    title: front.title ?? (structure.headings[0]?.text.trim() || undefined),
    tags: [...tags].slice(0, 100).sort(),
    aliases: front.aliases,
    links: (path) => linksOf(text, path, structure).filter(({ start }) => start >= front.end),
    passages: passagesOf(text, structure)
  }
}

const pagedPassages = (text: string, pages: readonly number[]): TextPassage[] =>
  pages.flatMap((start, index) => passagesOf(text, plainStructure(text, start, pages[index + 1]), index + 1))
