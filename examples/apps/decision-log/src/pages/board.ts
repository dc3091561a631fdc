import { connectPage } from 'agent-platform-app/page'
import type app from '../app.ts'

const page = await connectPage<typeof app>()
type Listed = Awaited<ReturnType<typeof page.call<'list'>>>
type Decision = Listed['decisions'][number]
type Status = Decision['status']

const find = <E extends HTMLElement>(selector: string) => document.querySelector(selector) as E
const view = find<HTMLFieldSetElement>('#view')
const proposal = find<HTMLDetailsElement>('#proposal')
const problem = find('#problem')
const list = find<HTMLUListElement>('#decisions')
const none = find('#none')
const more = find<HTMLButtonElement>('#more')

let status: Status | '' = 'open'
let nextCursor: string | null = null

/** Does what the user asked for, and says so where it fails. */
async function attempt(work: () => Promise<unknown>) {
  problem.hidden = true
  await work().catch(({ message }) => {
    problem.textContent = message
    problem.hidden = false
  })
}

async function load(cursor?: string) {
  list.ariaBusy = 'true'
  const wanted = status
  const listed = await page.call('list', { ...(wanted && { status: wanted }), ...(cursor && { cursor }) })
  // The user chose something else meanwhile.
  if (wanted !== status) return
  const items = listed.decisions.map(itemOf)
  if (cursor) list.append(...items)
  else list.replaceChildren(...items)
  nextCursor = listed.nextCursor
  more.hidden = nextCursor === null
  none.hidden = list.childElementCount > 0
  list.ariaBusy = 'false'
}

function element<N extends keyof HTMLElementTagNameMap>(
  name: N,
  fields: Partial<HTMLElementTagNameMap[N]>,
  ...children: (Node | string)[]
) {
  const made = Object.assign(document.createElement(name), fields)
  made.append(...children)
  return made
}

function itemOf(decision: Decision): HTMLLIElement {
  const { id, title, reason, status, votes, voted, mine, proposedAt } = decision
  const locale = page.context().locale
  const item = element('li', {})
  /** The item is as the app says that it is now, and the keyboard stays where it was. */
  const act = (label: string, className: string, work: () => Promise<Decision>) =>
    element('button', {
      className,
      textContent: label,
      onclick: () =>
        attempt(async () => {
          const changed = itemOf(await work())
          item.replaceWith(changed)
          changed.querySelector<HTMLButtonElement>(`.${className}`)?.focus()
        })
    })

  const vote = act(String(votes), 'vote', () => page.call('vote', { id }))
  vote.ariaPressed = String(voted)
  vote.ariaLabel = `Vote for ${title}: ${votes} so far`
  vote.disabled = status !== 'open'

  const settle = (to: Status, label: string) =>
    act(label, `to-${to}`, () => page.call('settle', { id, status: to }))
  const settling =
    status === 'open' ? [settle('accepted', 'Accept'), settle('dropped', 'Drop')] : [settle('open', 'Reopen')]
  const day = new Date(proposedAt).toLocaleDateString(locale, { dateStyle: 'medium' })
  const facts = element('div', { className: 'facts' }, element('time', { dateTime: proposedAt }, day))
  if (status !== 'open')
    facts.append(element('span', { className: status }, status === 'accepted' ? 'Accepted' : 'Dropped'))
  if (mine) facts.append(...settling)
  item.append(vote, element('div', {}, element('h2', {}, title), element('p', {}, reason), facts))
  return item
}

function choose(chosen: Status | '') {
  status = chosen
  const radio = view.querySelector<HTMLInputElement>(`[value="${chosen}"]`)
  if (radio) radio.checked = true
}

view.addEventListener('change', ({ target }) =>
  attempt(async () => {
    choose((target as HTMLInputElement).value as Status | '')
    await Promise.all([load(), page.storage.set({ key: 'view', value: { status } })])
  })
)
proposal.addEventListener('submit', (event) => {
  event.preventDefault()
  const form = event.target as HTMLFormElement
  const fields = new FormData(form)
  attempt(async () => {
    await page.call('propose', { title: String(fields.get('title')), reason: String(fields.get('reason')) })
    form.reset()
    proposal.open = false
    choose('open')
    await load()
  })
})
more.addEventListener('click', () => attempt(() => load(nextCursor ?? undefined)))

await attempt(async () => {
  const kept = await page.storage.get({ key: 'view' })
  choose((kept?.value as { status: Status | '' } | undefined)?.status ?? 'open')
  await load()
})
