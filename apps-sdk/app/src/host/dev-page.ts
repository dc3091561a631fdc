// The page on which `agent-platform-app dev` shows the pages of an app.
import type { ShownPage } from './show-page.ts'
import { showDocument } from './show-page.ts'

interface DevPage {
  readonly name: string
  readonly title: string
  readonly html: string
}

const nav = document.querySelector('nav') as HTMLElement
const container = document.querySelector('main') as HTMLElement
const dark = matchMedia('(prefers-color-scheme: dark)')
const theme = () => (dark.matches ? 'dark' : 'light')
let shown: ShownPage | undefined

async function ask(method: string, params: unknown, signal: AbortSignal): Promise<unknown> {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ method, params })
  const { data, error } = await (await fetch('gateway', { method: 'POST', headers, body, signal })).json()
  if (error) throw error
  return data
}

async function show(): Promise<void> {
  const { pages } = (await (await fetch('app')).json()) as { pages: readonly DevPage[] }
  nav.replaceChildren(
    ...pages.map(({ name, title }) =>
      Object.assign(document.createElement('a'), { href: `#${name}`, textContent: title })
    )
  )
  const page = pages.find(({ name }) => name === location.hash.slice(1)) ?? pages[0]
  await shown?.close()
  shown =
    page && showDocument({ container, title: page.title, html: page.html, ask, context: { theme: theme() } })
}

let work = show()
const again = () => {
  work = work.then(show)
}
dark.addEventListener('change', () => shown?.setContext({ theme: theme() }))
addEventListener('hashchange', again)
new EventSource('changes').addEventListener('message', again)
