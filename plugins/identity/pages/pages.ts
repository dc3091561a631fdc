import type { PageReply } from './html.ts'
import { html, page } from './html.ts'
import { passkeyForm, passkeyScript } from './passkey.ts'

const alert = (text: string | undefined) => text && html`<p role="alert">${text}</p>`

const field = (id: string, label: string, more: Readonly<Record<string, string>>) =>
  html`<label for="${id}">${label}</label><input id="${id}" name="${id}" required ${Object.entries(more).map(
    ([name, value]) => html`${name}="${value}" `
  )}>`

interface SignInPage {
  readonly action: string
  readonly client: string
  readonly fault?: string | undefined
  readonly email?: string | undefined
  readonly formTarget?: string | undefined
  /** Providers elsewhere. */
  readonly upstream?: readonly { readonly key: string; readonly name: string }[]
  /** What a device is asked; undefined where there are no passkeys. */
  readonly passkey?: object | undefined
}

export const signInPage = (asked: SignInPage): PageReply => {
  const { action, client, fault, email, passkey, formTarget, upstream = [] } = asked
  return page(
    { title: 'Sign in', formTarget, script: passkey && passkeyScript },
    html`${alert(fault)}
<p>To go on to <strong>${client}</strong>.</p>
<form method="post" action="${action}/sign-in">
${field('email', 'E-mail address', { type: 'email', autocomplete: 'username', value: email ?? '', maxlength: '254' })}
${field('password', 'Password', { type: 'password', autocomplete: 'current-password', maxlength: '200' })}
<button>Sign in</button>
</form>
${passkey && passkeyForm(`${action}/passkey`, passkey)}
${upstream.map(({ key, name }) => html`<a class="way" href="${action}/upstream/${key}">Continue with ${name}</a>`)}`
  )
}

interface ConsentPage {
  readonly action: string
  readonly client: string
  readonly name: string
  /** What it asks for, each in one's own words, with what can be done by it. */
  readonly scopes: readonly { readonly text: string; readonly does: readonly string[] }[]
  readonly projects: readonly { readonly id: string; readonly name: string; readonly environment: string }[]
  readonly formTarget?: string | undefined
  /** Where the person goes on to with what the application gets; none for programs that show a code. */
  readonly host?: string | undefined
  /** The platform's own application is not asked about: only the project is chosen. */
  readonly isOwn?: boolean
}

export const consentPage = (asked: ConsentPage): PageReply => {
  const { action, client, name, scopes, projects, formTarget, host, isOwn = false } = asked
  return page(
    { title: isOwn ? 'Choose a project' : `Let ${client} in?`, formTarget },
    html`<p>You are signed in as <strong>${name}</strong>.${!isOwn && ` ${client} wants to:`}</p>
${!isOwn && html`<ul>${scopes.map(({ text, does }) => html`<li>${text}${does.length > 0 && details(does)}</li>`)}</ul>`}
${!isOwn && host !== undefined && html`<p>It gets that at <strong>${host}</strong>. Refuse if you do not know that place.</p>`}
<form method="post" action="${action}/consent">
<label for="project">In the project</label>
<select id="project" name="project">${projects.map(
      (project) => html`<option value="${project.id}">${project.name} (${project.environment})</option>`
    )}</select>
<button name="decision" value="allow">${isOwn ? 'Go on' : 'Allow'}</button>
<button class="plain" name="decision" value="refuse" formnovalidate>${isOwn ? 'Cancel' : 'Refuse'}</button>
</form>`
  )
}

const details = (does: readonly string[]) =>
  html`<details><summary>What that is</summary><ul>${does.map((one) => html`<li>${one}</li>`)}</ul></details>`

/** What scopes mean to people. */
export const WORDS: Readonly<Record<string, string>> = {
  openid: 'know who you are',
  email: 'see your e-mail address',
  profile: 'see your name',
  offline_access: 'stay signed in while you are away',
  'agents:create': 'create agents',
  'agents:read': 'see your agents and their conversations',
  'agents:write': 'change your agents and their tools, and decide what they ask about',
  'agents:run': 'run your agents and see what they answer',
  'compute:read': 'see your computers',
  'compute:write': 'use your computers',
  'activity:read': 'see what happened',
  'usage:read': 'see what was used up',
  'platform:admin': 'do everything that an operator of the platform may'
}

interface DevicePage {
  readonly action: string
  readonly xsrf: string
  readonly code?: string | undefined
  readonly fault?: string | undefined
}

export const devicePage = ({ action, xsrf, code = '', fault }: DevicePage): PageReply =>
  page(
    { title: 'Connect a program' },
    html`${alert(fault)}
<p>Enter the code that the program shows you. Enter none that someone else has sent you.</p>
<form method="post" action="${action}">
<input type="hidden" name="xsrf" value="${xsrf}">
${field('user_code', 'Code', { autocomplete: 'off', autocapitalize: 'characters', spellcheck: 'false', value: code, maxlength: '20' })}
<button>Go on</button>
</form>`
  )

export const confirmDevicePage = (client: string, { action, xsrf, code = '' }: DevicePage): PageReply =>
  page(
    { title: `Connect ${client}?` },
    html`<p>Go on only if you have just started it yourself and it shows this code:</p>
<p class="code">${code}</p>
<form method="post" action="${action}">
<input type="hidden" name="xsrf" value="${xsrf}"><input type="hidden" name="user_code" value="${code}">
<button name="confirm" value="yes">It is mine</button>
<button class="plain" name="abort" value="yes">Refuse</button>
</form>`
  )

interface InvitationPage {
  readonly action: string
  readonly email: string
  readonly hasAccount: boolean
  readonly fault?: string | undefined
  readonly name?: string
}

export const invitationPage = ({ action, email, hasAccount, fault, name = '' }: InvitationPage): PageReply =>
  page(
    { title: hasAccount ? 'Join the project' : 'Create your account' },
    html`${alert(fault)}
<form method="post" action="${action}">
<label for="email">E-mail address</label>
<input id="email" name="email" type="email" autocomplete="username" value="${email}" readonly>
${!hasAccount && field('name', 'Your name', { autocomplete: 'name', maxlength: '200', value: name })}
${field('password', 'Password', {
  type: 'password',
  autocomplete: hasAccount ? 'current-password' : 'new-password',
  maxlength: '200'
})}
${!hasAccount && html`<small>At least 10 characters.</small>`}
<button>${hasAccount ? 'Join' : 'Create account'}</button>
</form>`
  )

interface PasswordResetPage {
  readonly action: string
  readonly email: string
  readonly fault?: string | undefined
}

export const passwordResetPage = ({ action, email, fault }: PasswordResetPage): PageReply =>
  page(
    { title: 'Set a new password' },
    html`${alert(fault)}
<form method="post" action="${action}">
<label for="email">E-mail address</label>
<input id="email" name="email" type="email" autocomplete="username" value="${email}" readonly>
${field('password', 'New password', { type: 'password', autocomplete: 'new-password', maxlength: '200' })}
<small>At least 10 characters. You are signed out everywhere then.</small>
<button>Set the password</button>
</form>`
  )

/** With where to go on, in one's own words. */
export const messagePage = (
  title: string,
  text: string,
  way?: { readonly href: string; readonly label: string }
): PageReply =>
  page(
    { title },
    html`<p role="status">${text}</p>${way && html`<a class="way" href="${way.href}">${way.label}</a>`}`
  )
