// Ahead of what makes schemas.
import './without-eval.ts'
import type { Client } from 'agent-platform-client'
import type { ShownPage, ShowOptions } from './show-page.ts'
import { showDocument } from './show-page.ts'

export { proxyDocument } from './proxy-document.ts'
export type { ShownPage, ShowOptions } from './show-page.ts'
export { showDocument } from './show-page.ts'

export interface ShowPageOptions extends Omit<ShowOptions, 'html' | 'ask' | 'title'> {
  /** On whose behalf the page acts. */
  readonly client: Client
  /** As its manifest calls the app. */
  readonly pluginId: string
  /** Of the pages of its manifest. */
  readonly page: string
  /** Of the frame. Default: the page's name. */
  readonly title?: string
  /** A version other than the enabled one, for those who may change the app. Its calls are those of the enabled one. */
  readonly version?: string
}

/** Shows a page of an enabled app, whose calls go to the platform with the credential of the client. Rejects as that does. */
export async function showPage({
  client,
  pluginId,
  page,
  version,
  ...options
}: ShowPageOptions): Promise<ShownPage> {
  const path = { pluginId, page }
  const html =
    options.address === undefined &&
    (await client.get('/v1/ui-plugins/{pluginId}/pages/{page}', {
      params: { path, ...(version !== undefined && { query: { version } }) }
    }))
  const ask: ShowOptions['ask'] = async (method, params, signal) => {
    const body = { method, params }
    // A page asks again by itself, if it wants to.
    const order = { params: { path: { pluginId } }, body, signal, idempotencyKey: false } as const
    const { data } = await client.post('/v1/ui-plugins/{pluginId}/gateway', order)
    return data
  }
  return showDocument({ title: page, ...options, ...(html !== false && { html: String(html) }), ask })
}
