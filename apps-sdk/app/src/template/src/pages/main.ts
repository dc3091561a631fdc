import { connectPage } from 'agent-platform-app/page'
import type app from '../app.ts'

const form = document.querySelector('form') as HTMLFormElement
const output = document.querySelector('output') as HTMLOutputElement
const page = await connectPage<typeof app>()

form.addEventListener('submit', async (event) => {
  event.preventDefault()
  try {
    const name = String(new FormData(form).get('name'))
    const { text, times } = await page.call('greet', { name })
    output.textContent = times === 1 ? text : `${text} (${times} times)`
  } catch (error) {
    output.textContent = (error as Error).message
  }
})
