import { definePack } from 'agent-platform'
import { createApiDocument } from './openapi/document.ts'
import { createApiPage } from './page/page.ts'
import { docsRoutes } from './routes.ts'

/** The API's own description, and a page to read it and try it out; nothing in production. */
export default definePack({
  name: 'docs',
  area: 'Platform',
  summary: 'the OpenAPI document and an interactive API reference',
  services: { apiDocument: createApiDocument, apiPage: createApiPage },
  routes: docsRoutes,
  contributes: {
    'platform.greeting': [
      { order: 10, make: () => ({ greet: async ({ url }) => [{ label: 'Docs', text: `${url}/docs` }] }) }
    ]
  }
})
