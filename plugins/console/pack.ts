import { definePack } from 'agent-platform'
import { createApplication } from './application.ts'
import { createPackFeed } from './pack-feed.ts'
import { changeRoutes } from './routes/changes.ts'
import { pageRoutes } from './routes/pages.ts'
import { sessionRoutes } from './routes/session.ts'
import { signInRoutes } from './routes/sign-in.ts'
import { createLinks } from './services/links.ts'
import { createSignIn } from './services/sign-in.ts'
import { createSignInMethods } from './services/sign-in-methods.ts'
import { settings } from './settings.ts'
import { createLinkStore } from './store.ts'

/** Console: the whole platform in a browser, and how people sign in to it. */
export default definePack({
  name: 'console',
  area: 'Platform',
  summary: 'the web console, and how people sign in to it',
  settings,
  services: {
    application: createApplication,
    linkStore: createLinkStore,
    links: createLinks,
    signIn: createSignIn,
    signInMethods: createSignInMethods,
    packFeed: createPackFeed
  },
  routes(app, deps) {
    pageRoutes(app, deps)
    sessionRoutes(app, deps)
    signInRoutes(app, deps)
    changeRoutes(app, deps)
  },
  contributes: { 'platform.greeting': [{ order: 5, make: ({ links }) => links }] }
})
