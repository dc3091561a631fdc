// budget: 30 s, because a browser walks through pages, and a computer with a browser of its own runs beside it
// tier: whole
import { readFile } from 'node:fs/promises'
import t from 'tap'
import { referenceRuntime } from '../../plugins/runtimes/test/testbed.ts'
import { noComputers } from '../computers.ts'
import { look, skip as noConsole, stage } from './testbed.ts'

const skip = noConsole || (await noComputers())

t.test('a person has a look into the computer of an agent, and works in it', { skip }, async (t) => {
  const { booted, open } = await stage(t)
  const ada = booted.as('ada')
  const agent = await ada.agent({ name: 'Pilot' })
  const of = (path: string) => `/v1/agents/${agent.id}/computer${path}`
  const tab = await open(ada, `/agents/${agent.id}/computer`)
  const { page } = tab
  const show = (part: string) =>
    page.getByRole('tabpanel', { name: 'Computer' }).getByText(part, { exact: true }).click()
  await page.getByText('This agent has no computer').waitFor()
  await look(t, tab, 'computer off', { at: 1 })
  await page.getByRole('button', { name: 'Enable the computer' }).click()

  await page.getByRole('status').getByText('Connected').waitFor()
  await page.locator('.xterm-helper-textarea').focus()
  await page.keyboard.type('stty -echo; echo "it is $((20 + 22))" > answer.txt; cat answer.txt\n')
  await page.locator('.xterm-rows').getByText('it is 42').first().waitFor()
  await look(t, tab, 'computer terminal')
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.keyboard.type('exit\n')
  await page.getByText('The shell has ended').waitFor()

  await show('Files')
  await page.getByRole('button', { name: 'answer.txt' }).click()
  const content = page.getByLabel('Content of answer.txt')
  await content.fill('it is another one\n')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('The file is saved').waitFor()
  t.equal((await ada.get(of('/files/read?path=answer.txt'))).body.data.content, 'it is another one\n')
  await look(t, tab, 'computer file', { at: 1 })
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download' }).click()
  ])
  t.equal(await readFile(await download.path(), 'utf8'), 'it is another one\n')
  await page.getByRole('button', { name: 'Home' }).click()
  const file = {
    name: 'page.html',
    mimeType: 'text/html',
    buffer: Buffer.from('<h1>Tea</h1><button>Ok</button>')
  }
  await page.locator('input[type=file]').setInputFiles(file)
  await page.getByRole('button', { name: 'page.html' }).waitFor()
  await look(t, tab, 'computer files', { at: 1 })

  await show('Browser')
  await page.getByLabel('Address').fill('file:///home/agent/page.html')
  await page.getByRole('button', { name: 'Open', exact: true }).click()
  await page.getByRole('img', { name: /^Picture of/ }).waitFor()
  await page.getByLabel('Selector').fill('h1')
  await page.getByRole('combobox', { name: 'Action' }).click()
  await page.getByRole('option', { name: 'extract' }).click()
  await page.getByRole('button', { name: 'Do', exact: true }).click()
  await page.locator('pre', { hasText: /^Tea$/ }).waitFor()
  await look(t, tab, 'computer browser')
  await page.setViewportSize({ width: 1280, height: 800 })

  await show('Settings')
  const hosts = page.getByRole('combobox', { name: 'Hosts' })
  await hosts.fill('example.com')
  await hosts.press('Enter')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('It applies from now on').waitFor()
  t.same((await ada.get(of('/config'))).body.data.allowedHosts, ['example.com'])
  const provider = page.getByRole('combobox', { name: 'Provider' })
  await provider.click()
  t.match(await page.getByRole('option').allInnerTexts(), [/^bubblewrap/, /^docker/])
  await page.getByRole('option', { name: /^docker/ }).click()
  await page.getByRole('combobox', { name: 'Image' }).click()
  await page.getByRole('option', { name: 'node:24' }).click()
  await page.getByRole('button', { name: 'Change', exact: true }).click()
  await page.getByText('It applies from the next start').waitFor()
  t.match((await ada.get(of('/config'))).body.data, { provider: 'docker', image: 'node:24' })
  await provider.click()
  await page.getByRole('option', { name: /^bubblewrap/ }).click()
  await Promise.all([
    page.waitForResponse((reply) => reply.request().method() === 'PUT'),
    page.getByRole('button', { name: 'Change', exact: true }).click()
  ])
  t.match((await ada.get(of('/config'))).body.data, { provider: 'bubblewrap', image: null })
  await page.getByLabel('Memory in MB').fill('768')
  await page.getByRole('button', { name: 'Resize' }).click()
  await page.getByText('The computer is resized').waitFor()
  await look(t, tab, 'computer settings', { at: 1 })

  await show('Events')
  const events = page.getByRole('table', { name: 'Events of the computer' })
  await events.getByText('resized').waitFor()
  await page.getByRole('button', { name: 'Sleep' }).click()
  await events.getByText('asleep').first().waitFor()
  await page.getByRole('button', { name: 'Wake' }).waitFor()
  await look(t, tab, 'computer events', { at: 1 })

  const runtime = { path: 'runtime.mjs', content: await referenceRuntime() }
  t.equal((await ada.post(of('/files/write'), { files: [runtime] })).status, 200)
  await page.getByRole('tab', { name: 'Runtime' }).click()
  await page.getByText('Nothing is deployed').waitFor()
  await page.getByRole('textbox', { name: 'Command' }).fill('node\nruntime.mjs')
  await page.getByLabel('Secrets').fill('SHOP_TOKEN=told-to-nobody')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Kept: SHOP_TOKEN').waitFor()
  t.notMatch(await page.content(), 'told-to-nobody')
  await page.getByRole('button', { name: 'Deploy', exact: true }).click()
  await page.getByText('awake', { exact: true }).waitFor()
  await page.getByText('Deployment 1').waitFor()
  await look(t, tab, 'runtime')
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.getByRole('button', { name: 'Put to sleep' }).click()
  await page.getByText('asleep', { exact: true }).first().waitFor()
})
