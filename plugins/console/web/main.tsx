import '@mantine/core/styles.css'
import '@mantine/notifications/styles.css'
import '@mantine/spotlight/styles.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/app.tsx'
import { refuseMarkup } from './kit/trusted-html.ts'
import { guardBrowser } from './kit/unsaved.tsx'

refuseMarkup()
guardBrowser()
const nonce = document.querySelector<HTMLElement>('style[nonce]')?.nonce ?? ''
// Read by those of Mantine's parts that put styles into the page themselves.
Object.assign(globalThis, { __webpack_nonce__: nonce })

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <App nonce={nonce} />
  </StrictMode>
)
