import type { CodeProject, Template } from './schemas.ts'

/** How a project of a template is built, and what is in it at first. */
export interface Beginning
  extends Pick<CodeProject, 'buildCommand' | 'outputFolder' | 'startCommand' | 'singlePage'> {
  files(name: string): Readonly<Record<string, string>>
}

/** Of the template for Vite. */
export const VITE_VERSION = '8.3.8'

const page = (title: string, { head = '', body }: { head?: string; body: string }) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <link rel="icon" href="data:,">
    <title>${escaped(title)}</title>${head}
  </head>
  <body>
    ${body}
  </body>
</html>
`
const style = `body { font-family: system-ui, sans-serif; margin: 4rem auto; max-width: 40rem; padding: 0 1rem; }\n`
const packageOf = (name: string, fields: object) =>
  `${JSON.stringify({ name: slugOf(name), private: true, version: '0.0.0', type: 'module', ...fields }, null, 2)}\n`

/** In ASCII, for addresses and names of packages. */
export const slugOf = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 30)
    .replace(/^-|-$/g, '') || 'project'
/** Of an id, what is no other’s. */
export const uniqueOf = (id: string): string => id.slice(id.lastIndexOf('_') + 1)
const escaped = (text: string) => text.replace(/[&<>"']/g, (it) => `&#${it.charCodeAt(0)};`)

export const templates: Readonly<Record<Template, Beginning>> = {
  static: {
    buildCommand: null,
    outputFolder: '.',
    startCommand: null,
    singlePage: false,
    files: (name) => ({
      'index.html': page(name, {
        head: '\n    <link rel="stylesheet" href="style.css">',
        body: `<h1>${escaped(name)}</h1>\n    <script type="module" src="main.js"></script>`
      }),
      'main.js': `console.log('Hello')\n`,
      'style.css': style
    })
  },
  vite: {
    buildCommand: 'npm run build',
    outputFolder: 'dist',
    startCommand: null,
    singlePage: true,
    files: (name) => ({
      'index.html': page(name, {
        body: '<div id="app"></div>\n    <script type="module" src="/src/main.js"></script>'
      }),
      'src/main.js': `import './style.css'\n\ndocument.querySelector('#app').innerHTML = '<h1></h1>'\ndocument.querySelector('h1').textContent = document.title\n`,
      'src/style.css': style,
      // A preview does not lie at the root of its origin.
      'vite.config.js': `import { defineConfig } from 'vite'\n\nexport default defineConfig({ base: './' })\n`,
      'package.json': packageOf(name, {
        scripts: { dev: 'vite', build: 'vite build' },
        devDependencies: { vite: VITE_VERSION }
      }),
      '.gitignore': 'node_modules\ndist\n'
    })
  },
  node: {
    buildCommand: 'npm run build',
    outputFolder: 'dist',
    startCommand: 'npm start',
    singlePage: false,
    files: (name) => ({
      'server.js': `import { createServer } from 'node:http'
import { pages } from './pages.js'

createServer(({ url }, reply) => {
  const page = pages[new URL(url, 'http://localhost').pathname]
  reply.writeHead(page ? 200 : 404, { 'content-type': 'text/html; charset=utf-8' })
  reply.end(page ? page() : 'Not found')
}).listen(process.env.PORT ?? 3000)
`,
      'pages.js': `export const pages = {
  '/': () => \`<!doctype html><link rel="icon" href="data:,"><title>\${title}</title><h1>\${title}</h1>\`
}
const title = ${JSON.stringify(escaped(name))}
`,
      // A preview is made of files: what the service answers now.
      'build.js': `import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { pages } from './pages.js'

for (const [path, page] of Object.entries(pages)) {
  const file = \`dist\${path.endsWith('/') ? \`\${path}index.html\` : \`\${path}.html\`}\`
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, page())
}
`,
      'package.json': packageOf(name, { scripts: { start: 'node server.js', build: 'node build.js' } }),
      '.gitignore': 'node_modules\ndist\n'
    })
  }
}
