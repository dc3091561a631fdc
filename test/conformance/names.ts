import type { Described } from './described.ts'

const irregular =
  'begun bound bought broken brought built caught chosen cut done drawn driven fallen fed fought found forgotten ' +
  'given gone grown held hidden kept known left lent lost made met paid put read reset run seen sent set shown ' +
  'shut sold spent split stolen taken taught thrown told understood undone unset withdrawn woken won written'
const participle = new RegExp(`^([a-z]+_)*([a-z]+ed|${irregular.replaceAll(' ', '|')})$`)

/** The five of every store, and those that say more of what a row stands for. */
const verbs = ['find', 'list', 'insert', 'update', 'remove']
const moreVerbs = ['count', 'lock', 'remember', 'replace', 'settle', 'take']
const verb = new RegExp(`^(${[...verbs, ...moreVerbs].join('|')})([A-Z]|$)`)

/** One line that goes on after the pack's name, as a row of a table. */
export function summaryFaults({ manifest: { summary } }: Described): readonly string[] {
  if (summary === undefined) return ['pack.ts has no summary']
  return [
    ...unless(summary.length <= 100, 'its summary is longer than 100 characters'),
    ...unless(/^([a-z]|[A-Z]{2}|OpenAI|Prometheus)/.test(summary), 'its summary begins like a sentence'),
    ...unless(/[^.!?]$/.test(summary), 'its summary ends like a sentence')
  ]
}

/** Facts in the past tense, points and services, all under the pack's own name, and used. */
export function contractFaults({ name, contract, manifest, files }: Described): readonly string[] {
  const { facts, points, services } = contract
  const sources = [...files].filter(([path]) => !/^contract\.ts$|\.(test|bench)\.ts$|\.md$/.test(path))
  const text = sources.map(([, source]) => source).join('\n')
  const recorded = text.matchAll(/\.(?:record\(\s*\w+,|row\()\s*'([^']+)'/g)
  return [
    ...[...facts.keys(), ...points.keys()]
      .filter((key) => !key.startsWith(`${name}.`))
      .map((key) => `${key} is not for ${name} to declare`),
    ...[...facts.keys()]
      .filter((key) => !participle.test(key.slice(key.indexOf('.') + 1)))
      .map((key) => `fact ${key} is not past tense`),
    ...[...facts.keys()]
      .filter((key) => !text.includes(`'${key}'`))
      .map((key) => `fact ${key} is never recorded`),
    ...[...points.keys()]
      .filter((key) => !text.includes(`'${key}'`))
      .map((key) => `point ${key} is never asked`),
    ...[...new Set([...recorded].map(([, key]) => key as string))]
      .filter((key) => !facts.has(key))
      .map((key) => `fact ${key} is recorded, but not declared in contract.ts`),
    ...[...services.keys()]
      .filter((key) => key !== name)
      .map((key) => `service ${key} is not called ${name}`),
    ...unless(services.has(name) === (manifest.exports !== undefined), 'exports and contract.ts do not agree')
  ]
}

/** `createX` under the key `x`, and functions of stores that begin with a verb of stores. */
export function factoryFaults({ manifest, stores }: Described): readonly string[] {
  return [
    ...Object.entries(manifest.services ?? {})
      .filter(([key, { name }]) => name !== `create${key.charAt(0).toUpperCase()}${key.slice(1)}`)
      .map(([key, make]) => `${key} is made by ${make.name}`),
    ...[...stores].flatMap(([key, functions]) =>
      functions
        .filter((name) => !verb.test(name))
        .map((name) => `${key}.${name} begins with no verb of stores`)
    )
  ]
}

const unless = (holds: boolean, fault: string): readonly string[] => (holds ? [] : [fault])
