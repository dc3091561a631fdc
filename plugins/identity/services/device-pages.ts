import type { Configuration, ErrorOut, KoaContextWithOIDC } from 'oidc-provider'
import type { PageReply } from '../pages/html.ts'
import { confirmDevicePage, devicePage, messagePage } from '../pages/pages.ts'

type Sources = Required<
  Pick<
    NonNullable<NonNullable<Configuration['features']>['deviceFlow']>,
    'userCodeInputSource' | 'userCodeConfirmSource' | 'successSource'
  >
>

function show(ctx: KoaContextWithOIDC, { markup, headers }: PageReply): void {
  ctx.set({ ...headers })
  ctx.body = markup
}

const formOf = (ctx: KoaContextWithOIDC) => ({
  action: ctx.oidc.urlFor('code_verification'),
  xsrf: (ctx.oidc.session as unknown as { state: { secret: string } }).state.secret
})

const FAULTS: Readonly<Record<string, string>> = {
  NoCodeError: 'Enter the code first.',
  NotFoundError: 'There is no such code: look at it once more.',
  ExpiredError: 'The code has expired: start the program once more.',
  AlreadyUsedError: 'The code was used already: start the program once more.',
  AbortedError: 'The program was refused.'
}

/** The pages on which a person enters and confirms the code of a program. */
export const deviceSources: Sources = {
  userCodeInputSource(ctx, _form, out, error) {
    const fault = error
      ? (FAULTS[error.name] ?? out?.error_description ?? 'That did not work: try once more.')
      : undefined
    // Where the address has the code it stands in the form; a page by itself sends nothing.
    const { code } = ctx.req as { code?: string }
    show(ctx, devicePage({ ...formOf(ctx), code, fault }))
  },
  userCodeConfirmSource(ctx, _form, client, _deviceInfo, code) {
    show(ctx, confirmDevicePage(client.clientName ?? client.clientId, { ...formOf(ctx), code }))
  },
  successSource(ctx) {
    const name = ctx.oidc.client?.clientName ?? 'The program'
    show(ctx, messagePage('Done', `${name} is connected. You may close this page.`))
  }
}

/**
 * For a browser that has no session any more: `oidc-provider` begins one while it says what is wrong, and cannot keep that
 * one, as of version 9.13.
 */
export async function withoutSession(ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> {
  try {
    await next()
  } catch (error) {
    if (!/previously persisted Sessions/.test(String(error))) throw error
    ctx.status = 400
    show(ctx, messagePage('That took too long', 'Begin once more where you came from.'))
  }
}

/** Errors of a browser's way through the provider, without anything of the request in them. */
export function showError(ctx: KoaContextWithOIDC, out: ErrorOut): void {
  const text =
    out.error === 'server_error'
      ? 'Something went wrong here. Try once more.'
      : (out.error_description ?? out.error)
  show(ctx, messagePage('That did not work', text))
}
