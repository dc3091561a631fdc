import { connectPage } from 'agent-platform-app/page'
import type app from '../app.ts'

type Page = Awaited<ReturnType<typeof connectPage<typeof app>>>
type Found = Awaited<ReturnType<typeof page.call<'search'>>>

const find = <E extends HTMLElement>(selector: string) => document.querySelector(selector) as E
const form = find<HTMLFormElement>('form')
const problem = find('#problem')
const total = find('#total')
const list = find<HTMLUListElement>('#issues')
const field = (name: string) => form.elements.namedItem(name) as HTMLInputElement | HTMLSelectElement

// Where an agent searched, the page shows what it asked for and what it found.
let isOpenedForSearch = false
const page: Page = await connectPage<typeof app>({
  onInput(input) {
    isOpenedForSearch = true
    for (const [name, value] of Object.entries(input as Record<string, string>)) {
      const named = field(name)
      if (named) named.value = value
    }
  },
  onResult: (data) => show(data as Found)
})

async function search() {
  problem.hidden = true
  total.textContent = 'Searching …'
  list.replaceChildren()
  const [repository = '', text = ''] = ['repository', 'text'].map((name) => field(name).value.trim())
  try {
    const state = field('state').value as 'open' | 'closed'
    show(await page.call('search', { repository, state, ...(text && { text }) }))
    await page.storage.set({ key: 'repository', value: repository })
  } catch (error) {
    total.textContent = ''
    problem.textContent = (error as Error).message
    problem.hidden = false
  }
}

function show({ total: count, issues }: Found) {
  total.textContent =
    count === 1 ? '1 issue' : `${count} issues${count > issues.length ? `, the last ${issues.length}` : ''}`
  list.replaceChildren(...issues.map(itemOf))
}

function itemOf({ number, title, author, labels, comments, updatedAt, url }: Found['issues'][number]) {
  const item = document.createElement('li')
  const link = Object.assign(document.createElement('a'), { href: url, textContent: title })
  link.addEventListener('click', (event) => {
    // The frame itself goes nowhere.
    event.preventDefault()
    page.openLink(url)
  })
  const day = new Date(updatedAt).toLocaleDateString(page.context().locale, { dateStyle: 'medium' })
  const facts = document.createElement('div')
  facts.className = 'facts'
  facts.textContent = `#${number} by ${author}, ${day}, ${comments === 1 ? '1 comment' : `${comments} comments`}`
  const chips = labels.map((name) =>
    Object.assign(document.createElement('span'), { className: 'label', textContent: name })
  )
  item.append(link, ...chips, facts)
  return item
}

form.addEventListener('submit', (event) => {
  event.preventDefault()
  search()
})
const kept = await page.storage.get({ key: 'repository' })
if (kept && !isOpenedForSearch) {
  field('repository').value = String(kept.value)
  await search()
}
