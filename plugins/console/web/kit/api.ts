import { createClient } from 'agent-platform-client'

/** The console's own address: `…/console/`. */
const consoleUrl = new URL(document.baseURI)
/** The platform's, without a slash at its end. */
export const baseUrl = new URL('..', consoleUrl).href.replace(/\/$/, '')
/** Path below which the console's own pages lie, without a slash at its end. */
export const basePath = consoleUrl.pathname.replace(/\/$/, '')

/** Calls by the session, whose cookie no script sees. */
export const api = createClient({ baseUrl })
