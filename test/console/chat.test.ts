// budget: 14 s, because a browser talks with an agent of a platform with all its packs
// tier: whole
import t from 'tap'
import { look, skip, stage } from './testbed.ts'

t.test('an agent is talked with, and its answer survives a reload', { skip }, async (t) => {
  const { booted, open } = await stage(t)
  const ada = booted.as('ada')
  const agent = await ada.agent()
  const tab = await open(ada, `/agents/${agent.id}/chat`)
  const { page } = tab
  const words = Array.from({ length: 80 }, (_, i) => `w${i}`).join(' ')
  await page.getByRole('textbox', { name: 'Message' }).fill(`/wait 40\n/say ${words}`)
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  const answer = page.getByRole('article', { name: /^Answer of/ })
  await answer.getByText(/\bw9\b/).waitFor()
  t.match(page.url(), /\?session=session_/)
  await page.reload()
  await answer.getByText(/\bw79$/).waitFor()
  t.equal(await answer.getByText(/\bw79$/).innerText(), words)
  await page.reload()
  await answer.getByText(/\bw79$/).waitFor()
  t.equal(await answer.getByText(/\bw79$/).innerText(), words)
  await look(t, tab, 'chat')

  await page.setViewportSize({ width: 1280, height: 800 })
  await answer.getByRole('link', { name: 'Run details' }).click()
  await page.getByRole('heading', { level: 1, name: 'Run' }).waitFor()
  await look(t, tab, 'run')

  await page.setViewportSize({ width: 1280, height: 800 })
  await page.getByRole('button', { name: 'Share' }).click()
  const sharing = page.getByRole('dialog', { name: 'Share this run' })
  await sharing.getByText('Only you may open the link').waitFor()
  const other = await open(booted.as('bob'), new URL(page.url()).pathname.replace('/console', ''))
  await other.page.getByText('You may not see this').waitFor()
  await sharing.getByRole('button', { name: 'Share with the project' }).click()
  await sharing.getByText('Everybody of this project who has the link').waitFor()
  await look(t, tab, 'run shared', { at: 1 })
  await other.page.getByRole('button', { name: 'Try again' }).click()
  await other.page.getByText(/\bw79$/).waitFor()
  await other.page.getByRole('button', { name: 'Copy link' }).waitFor()
  t.equal(
    await other.page.getByRole('button', { name: 'Share' }).count(),
    0,
    'who reads it does not share it'
  )
  await sharing.getByRole('button', { name: 'Stop sharing' }).click()
  await sharing.getByText('Only you may open the link').waitFor()
  await other.page.reload()
  await other.page.getByText('You may not see this').waitFor()
  await sharing.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('tab', { name: 'Events' }).click()
  await page.getByRole('button', { name: /^0 .*run_started/ }).waitFor()
  await look(t, tab, 'run events')
})

t.test('an edited message and a regenerated answer are versions beside the original', { skip }, async (t) => {
  const { booted, open } = await stage(t)
  const ada = booted.as('ada')
  const agent = await ada.agent()
  const tab = await open(ada, `/agents/${agent.id}/chat`)
  const { page } = tab
  const messages = page.getByRole('article', { name: 'Message' })
  const answers = page.getByRole('article', { name: /^Answer of/ })
  for (const [place, text] of ['/say first', '/say second'].entries()) {
    await page.getByRole('textbox', { name: 'Message' }).fill(text)
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await answers.nth(place).getByRole('link', { name: 'Run details' }).waitFor()
  }
  const original = new URL(page.url()).searchParams.get('session')

  await page.getByRole('button', { name: 'Edit message' }).nth(1).click()
  await page.getByRole('textbox', { name: 'Edited message' }).fill('/say third')
  await page.getByRole('button', { name: 'Send', exact: true }).first().click()
  await answers.nth(1).getByText('third').waitFor()
  await page.getByText('2/2').waitFor()
  const edited = new URL(page.url()).searchParams.get('session')
  t.not(edited, original)
  t.match(await messages.allInnerTexts(), ['/say first', '/say third'])
  await look(t, tab, 'chat versions')

  await page.setViewportSize({ width: 1280, height: 800 })
  await page.getByRole('button', { name: 'Previous version' }).click()
  await answers.nth(1).getByText('second').waitFor()
  t.equal(new URL(page.url()).searchParams.get('session'), original)
  await page.getByText('1/2').waitFor()

  await page.getByRole('button', { name: 'Regenerate answer' }).first().click()
  await page.getByText('2/2').waitFor()
  t.match(await messages.allInnerTexts(), ['/say first'], 'the first message has no version before it')
  await page.reload()
  await answers.first().getByText('first').waitFor()
  await page.getByText('2/2').waitFor()
  const { body } = await ada.get(`/v1/sessions/${original}/branches`)
  t.equal(body.data.length, 3)
})
