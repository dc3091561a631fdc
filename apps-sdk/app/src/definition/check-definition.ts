import type { Problem } from '../manifest/check.ts'
import { checkManifest } from '../manifest/check.ts'
import type { AppDefinition } from './define-app.ts'

/** All that is wrong with a manifest, and with the functions that go with it. Pointers are those into the manifest. */
export function checkDefinition(definition: unknown): readonly Problem[] {
  const { manifest, functions } = Object(definition) as Partial<AppDefinition>
  if (!manifest || !functions)
    return [
      { pointer: '', message: 'has no manifest and functions: let its default export be defineApp({…})' }
    ]
  const problems = checkManifest(JSON.parse(JSON.stringify(manifest)))
  if (problems.length > 0) return problems
  const declared = manifest.functions.map(({ name }) => name)
  return [
    ...declared.flatMap((name, at) =>
      Object.hasOwn(functions, name) && typeof functions[name] === 'function'
        ? []
        : [{ pointer: `/functions/${at}/name`, message: `is ${name}, which the code does not have` }]
    ),
    ...Object.keys(functions)
      .filter((name) => !declared.includes(name))
      .map((name) => ({ pointer: '/functions', message: `has no ${name}, which is in the code` }))
  ]
}
