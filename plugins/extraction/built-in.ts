import type { DocumentFormat } from './contract.ts'

const of = (
  name: string,
  mediaTypes: readonly string[],
  extensions: readonly string[],
  gives: DocumentFormat['gives'] = { text: true, preview: true }
): DocumentFormat => ({
  mediaTypes,
  extensions,
  gives,
  module: new URL(`./formats/${name}.ts`, import.meta.url).href
})

/** Formats that are there without another pack. */
export const builtIn: readonly DocumentFormat[] = [
  of('markdown', ['text/markdown', 'text/x-markdown'], ['.md', '.markdown']),
  of('html', ['text/html', 'application/xhtml+xml'], ['.html', '.htm', '.xhtml']),
  of('csv', ['text/csv', 'application/csv', 'text/tab-separated-values'], ['.csv', '.tsv']),
  of('json', ['application/json', 'text/json'], ['.json']),
  of('pdf', ['application/pdf', 'application/x-pdf'], ['.pdf']),
  of('docx', ['application/vnd.openxmlformats-officedocument.wordprocessingml.document'], ['.docx']),
  of(
    'image',
    ['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/avif'],
    ['.png', '.jpg', '.jpeg', '.webp', '.gif', '.avif'],
    { text: false, preview: true, image: true }
  ),
  // SVG is shown as the text that it is: drawing it would load what it names, and run what is in it.
  of(
    'text',
    [
      'text/*',
      'image/svg+xml',
      'application/xml',
      'application/yaml',
      'application/x-yaml',
      'application/toml',
      'application/sql',
      'application/javascript',
      'application/x-ndjson',
      'application/x-sh'
    ],
    ['.txt', '.log', '.xml', '.svg', '.yaml', '.yml', '.toml', '.ini', '.sql', '.ndjson', '.rst']
  )
]
