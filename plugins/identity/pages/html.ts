import { createHash } from 'node:crypto'

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;'
}

/** Markup, whose values were escaped. */
export interface Html {
  readonly markup: string
}
type Value = Html | string | readonly Html[] | undefined | false

const textOf = (value: Value): string => {
  if (!value) return ''
  if (typeof value === 'string') return value.replace(/[&<>"']/g, (character) => ESCAPES[character] as string)
  return 'markup' in value ? value.markup : value.map(textOf).join('')
}

export const html = (parts: TemplateStringsArray, ...values: readonly Value[]): Html => ({
  markup: parts.reduce((text, part, at) => text + textOf(values[at - 1]) + part)
})

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { margin: 0; display: grid; place-items: center; min-height: 100vh; background: Canvas; color: CanvasText }
main { width: min(24rem, calc(100vw - 3rem)); padding: 1.5rem 0 }
h1 { font-size: 1.4rem; margin: 0 0 1rem }
label, legend { display: block; font-weight: 600; margin: 1rem 0 .25rem }
fieldset { border: 0; margin: 0; padding: 0 }
input:not([type=radio]), select { box-sizing: border-box; width: 100%; font: inherit; padding: .5rem .6rem; border: 1px solid GrayText; border-radius: .4rem; background: Field; color: FieldText }
button { font: inherit; font-weight: 600; padding: .55rem 1rem; margin: 1.25rem .5rem 0 0; border: 1px solid #1d4ed8; border-radius: .4rem; background: #1d4ed8; color: #fff; cursor: pointer }
button.plain { background: transparent; color: inherit; border-color: GrayText }
a.way { display: block; width: fit-content; font-weight: 600; padding: .55rem 1rem; margin: .75rem 0 0; border: 1px solid GrayText; border-radius: .4rem; color: inherit; text-decoration: none }
:focus-visible { outline: 3px solid #60a5fa; outline-offset: 2px }
.code { font: 700 1.4rem/1.6 ui-monospace, monospace; letter-spacing: .1em }
[role=alert] { border-left: .25rem solid #b91c1c; padding: .25rem .75rem; margin: 0 0 1rem }
small { display: block }
ul { padding-left: 1.25rem }
details { font-size: .9rem } summary { cursor: pointer; width: fit-content }
`
const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64')
const styleHash = digestOf(STYLE)

interface PageOptions {
  readonly title: string
  /** Where a form may lead, beside this server. */
  readonly formTarget?: string | undefined
  /** Of its own: it runs, and no other. */
  readonly script?: string | undefined
}

export interface PageReply {
  readonly markup: string
  readonly headers: Readonly<Record<string, string>>
}

/** A whole page, that runs no script but its own, loads nothing from elsewhere, and is shown in no frame. */
export function page({ title, formTarget, script }: PageOptions, body: Html): PageReply {
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${styleHash}'`,
    ...(script ? [`script-src 'sha256-${digestOf(script)}'`] : []),
    `form-action 'self'${formTarget ? ` ${formTarget}` : ''}`,
    "base-uri 'none'",
    "frame-ancestors 'none'"
  ]
  const { markup } = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title><style>${{ markup: STYLE }}</style></head>
<body><main><h1>${title}</h1>
${body}
</main>${script && { markup: `<script>${script}</script>` }}</body></html>
`
  return { markup, headers: { ...headers, 'content-security-policy': policy.join('; ') } }
}

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY'
}
