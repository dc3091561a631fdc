import type { Described } from './described.ts'

const WORD = '[a-z][a-z0-9]*(?:-[a-z0-9]+)*'
const allowed = [
  /^(README|surface)\.md$/,
  /^migrations\/\d{4}(-[a-z0-9]+){2,}\.ts$/,
  new RegExp(`^(?:${WORD}/)?${WORD}\\.ts$`),
  new RegExp(`^test/(?:${WORD}/)?${WORD}(?:\\.test)?\\.ts$`),
  // What a test makes, and compares.
  new RegExp(`^(?:${WORD}/)?${WORD}\\.generated\\.js$`)
]
/** Names that say nothing. */
const nothing = /(^|\/)(utils?|helpers?|common|misc|shared|lib|index|types|base|manager)(\.|\/|-)/
/** Of what runs: about 200. */
const MAX_LINES = 220
const sections = ['Purpose', 'Routes', 'Facts', 'Points', 'Settings', 'Decisions']

/** What a pack's folder has that it should not, or has not. */
export function fileFaults({ files }: Described): readonly string[] {
  const paths = [...files.keys()]
  return [
    ...paths
      .filter((path) => !allowed.some((pattern) => pattern.test(path)))
      .map((path) => `${path} has no place in a pack`),
    ...paths.filter((path) => nothing.test(path)).map((path) => `${path} has a name that says nothing`),
    ...['routes', 'service', 'store', 'schemas']
      .filter(
        (noun) =>
          files.has(`${noun}.ts`) && paths.some((path) => path.startsWith(`${noun.replace(/s?$/, 's')}/`))
      )
      .map((noun) => `${noun}.ts stands beside a folder of the same`),
    ...paths
      .filter(
        (path) =>
          (files.get(path) ?? '').split('\n').length > MAX_LINES &&
          !/\.md$|\.test\.ts$|\.generated\.js$/.test(path)
      )
      .map((path) => `${path} is longer than ${MAX_LINES} lines`),
    ...unless(
      paths.some((path) => path.endsWith('.test.ts')),
      'nothing is tested'
    ),
    ...paths
      .filter((path) => /^(services?|stores?)(\.ts$|\/)/.test(path) && knowsHttp(files.get(path) ?? ''))
      .map((path) => `${path} knows HTTP`)
  ]
}

/** The types by which the contract hands out what belongs to routes. */
const knowsHttp = (text: string) =>
  /import (type )?\{[^}]*\b(App|Reply|Request)\b[^}]*\} from 'agent-platform'/.test(text)

/** What the README does not tell. */
export function readmeFaults({ files, name, routes, contract, manifest }: Described): readonly string[] {
  const text = files.get('README.md')
  if (text === undefined) return ['there is no README.md']
  const wanted = sections.filter((section) => section !== 'Routes' || routes.length > 0)
  const parts = text.split(/^## /m)
  const found = parts.slice(1).map((part) => part.split('\n')[0]?.trim() ?? '')
  const told = (names: Iterable<string>) => [...new Set(names)].filter((word) => !text.includes(word))
  return [
    ...unless(parts[0]?.split('\n')[0] === `# ${name}`, `README.md is not called ${name}`),
    ...unless(
      found.filter((section) => sections.includes(section)).join() === wanted.join(),
      `README.md has ${found.join(', ')}, not ${wanted.join(', ')}`
    ),
    ...parts
      .slice(1)
      .filter((part) => part.split('\n').slice(1).join('').trim() === '')
      .map((part) => `README.md says nothing about ${part.trim()}`),
    ...told([
      ...routes.map(({ path }) => path),
      ...contract.facts.keys(),
      ...contract.points.keys(),
      ...Object.keys(manifest.contributes ?? {}),
      ...Object.keys(manifest.settings?.properties ?? {})
    ]).map((word) => `README.md does not name ${word}`)
  ]
}

const unless = (holds: boolean, fault: string): readonly string[] => (holds ? [] : [fault])
