import type { Html } from './html.ts'
import { html } from './html.ts'

/** Shown by the script alone, where the browser has what it needs. */
export const passkeyForm = (action: string, asked: object): Html =>
  html`<form method="post" action="${action}" id="passkey" data-asked="${JSON.stringify(asked)}" hidden>
<input type="hidden" name="response">
<button class="plain">Sign in with a passkey</button>
<p role="status"></p>
</form>`

/** Asks the device, and sends what it says as the form: the page that follows comes as after any other form. */
export const passkeyScript = `
const form = document.getElementById('passkey')
if (window.PublicKeyCredential && PublicKeyCredential.parseRequestOptionsFromJSON) form.hidden = false
form.addEventListener('submit', async (event) => {
  event.preventDefault()
  const status = form.querySelector('[role=status]')
  status.textContent = ''
  try {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(JSON.parse(form.dataset.asked))
    const credential = await navigator.credentials.get({ publicKey })
    form.elements.response.value = JSON.stringify(credential.toJSON())
    form.submit()
  } catch {
    status.textContent = 'No passkey was used.'
  }
})
`
