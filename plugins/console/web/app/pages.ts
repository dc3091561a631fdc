import type { PackPage } from '../kit/contributions.tsx'
import type { PageDefinition } from '../kit/define-page.ts'
import type { Session } from '../kit/session.tsx'

const found = import.meta.glob<PageDefinition>('../../../*/web/page.tsx', { eager: true, import: 'default' })

/** Of all packs that bring one. */
const pages: readonly PackPage[] = Object.entries(found).map(([path, page]) => ({
  ...page,
  pack: path.split('/').at(-3) as string
}))

/** Those of packs that are mounted, as far as the caller may see them. */
export function pagesOf({ packs, principal }: Session): readonly PackPage[] {
  const mounted = new Set(packs.map(({ name }) => name))
  return pages
    .filter(({ pack }) => mounted.has(pack))
    .map((page) => (!page.scope || principal?.scopes.includes(page.scope) ? page : forAllOf(page)))
}

/** What callers without the scope of a page see of it. */
const forAllOf = ({ pack, title, homeCards = [] }: PackPage): PackPage => ({
  pack,
  title,
  homeCards: homeCards.filter(({ isForAll }) => isForAll)
})
