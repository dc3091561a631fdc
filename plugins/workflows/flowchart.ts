import type { Definition } from './schemas/definition.ts'
import { stepTypeOf } from './schemas/steps.ts'
import { linksOf } from './validation/graph.ts'
import type { Place, Scope } from './validation/places.ts'
import { scopesOf } from './validation/places.ts'

/** As text of a label: whatever could mean something to Mermaid or to HTML is written as its number. */
const label = (text: string) =>
  text.replace(/[^\p{L}\p{N} _.,:()/-]/gu, (character) => `#${character.codePointAt(0)};`)

/** Ids are words: with something ahead of it none is a word of Mermaid's. */
const node = ({ step }: Pick<Place, 'step'>) => `step_${step.id}`

const shapes: Readonly<Record<string, readonly [string, string]>> = {
  condition: ['{', '}'],
  approval: ['([', '])'],
  wait: ['([', '])'],
  workflow: ['[[', ']]']
}
const arrows = {
  ended: '-->',
  then: '-->|then|',
  else: '-->|else|',
  failed: '-.->|failed|',
  rejected: '-.->|rejected|'
} as const

const INDENT = '  '

/** A definition as a flowchart of Mermaid: steps inside of steps are subgraphs. */
export function flowchartOf(definition: Definition): string {
  const scopes = scopesOf(definition)
  const inside = new Map(scopes.map((scope) => [scope.within?.step, scope]))

  function* linesOf(scope: Scope, indent: string): Generator<string> {
    for (const place of scope.places) {
      const { step } = place
      const text = `${label(step.name ?? step.id)}<br/>${label(step.type)}`
      const within = stepTypeOf(step.type)?.isContainer && inside.get(step)
      const [open, close] = shapes[step.type] ?? ['[', ']']
      if (within) {
        yield `${indent}subgraph ${node(place)} ["${text}"]`
        yield* linesOf(within, indent + INDENT)
        yield `${indent}end`
      } else yield `${indent}${node(place)}${open}"${text}"${close}`
      if (!step.compensation) continue
      const undo = `${node(place)}_undone`
      yield `${indent}${undo}["${label(step.compensation.type)}"]`
      yield `${indent}${node(place)} -.->|undone by| ${undo}`
    }
    for (const { from, to, when } of linksOf(scope))
      yield `${indent}${node(from)} ${arrows[when]} ${node(to)}`
  }

  const [outer] = scopes
  return outer ? ['flowchart TD', ...linesOf(outer, INDENT), ''].join('\n') : ''
}
