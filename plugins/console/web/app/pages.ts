import type { RouterProps } from 'wouter'
import type { PackPage } from '../kit/contributions.tsx'
import { preload } from '../kit/contributions.tsx'
import type { PageDefinition } from '../kit/define-page.ts'
import type { Session } from '../kit/session.tsx'
import { navigateThen } from '../kit/unsaved.tsx'

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

const routes = pages.flatMap(({ routes = {} }) =>
  Object.entries(routes).map(([pattern, load]) => {
    const path = pattern.replaceAll(/\/:\w+\?/g, '(?:/[^/]+)?').replaceAll(/\/:\w+/g, '/[^/]+')
    return { path: new RegExp(`^${path}/?$`), load }
  })
)

/** Loads the page at that path within the console; undefined where it is there already. */
export function preloadAt(path: string): Promise<void> | undefined {
  const route = routes.find((it) => it.path.test(path))
  return route && preload(route.load)
}

let navigations = 0
/**
 * Goes to a page once its code is there: what is shown meanwhile would flash, and React keeps it for a third of a second. Who has
 * gone elsewhere by then stays there.
 */
export const aroundNav: NonNullable<RouterProps['aroundNav']> = (navigate, to, options) =>
  navigateThen(to, () => goTo(navigate, to, options))

const goTo: NonNullable<RouterProps['aroundNav']> = (navigate, to, options) => {
  const navigation = ++navigations
  const loading = preloadAt(to.replace(/[?#].*$/s, ''))
  if (!loading) return navigate(to, options)
  void loading.then(() => navigation === navigations && navigate(to, options))
}
