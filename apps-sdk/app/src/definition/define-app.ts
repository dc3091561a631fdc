import type { Static, TSchema } from 'typebox'
import type { ContextOf } from '../context/context.ts'
import type { Manifest } from '../manifest/schema.ts'
import type { FunctionDraft, ManifestDraft } from './manifest-draft.ts'
import { manifestOf } from './manifest-draft.ts'

export type { FunctionDraft }

/** What a function is given: what its schema says. */
export type InputOf<F> = F extends { readonly input: infer S extends TSchema } ? Static<S> : never
/** What a function gives: what its schema says, else any JSON. */
export type OutputOf<F> = F extends { readonly output: infer S extends TSchema } ? Static<S> : unknown

interface Declaring {
  readonly functions?: readonly { readonly name: string }[]
}
type DeclaredIn<M extends Declaring> = NonNullable<M['functions']>[number]

/** The functions that a manifest declares, each by its name. */
export type FunctionsOf<M extends Declaring> = {
  readonly [N in DeclaredIn<M>['name']]: (
    input: InputOf<Extract<DeclaredIn<M>, { readonly name: N }>>,
    context: ContextOf<M>
  ) =>
    | OutputOf<Extract<DeclaredIn<M>, { readonly name: N }>>
    | Promise<OutputOf<Extract<DeclaredIn<M>, { readonly name: N }>>>
}

/** An app: what it is and asks for, and what it does. The default export of its code. */
export interface AppDefinition {
  readonly manifest: Manifest
  /** Each has types of its own, which `defineApp` has looked at. */
  readonly functions: Readonly<Record<string, (input: never, context: never) => unknown>>
}

/** An app whose pages know the types of its functions: `connectPage<typeof app>()`. */
export interface DefinedApp<M> extends AppDefinition {
  /** Is never there: a type that is carried along. */
  readonly '~draft'?: M
}

/**
 * Ties functions to the manifest that declares them: their inputs and outputs have the types of its schemas, and `platform` has
 * what it asks for.
 */
export function defineApp<const M extends ManifestDraft>(app: {
  readonly manifest: M
  readonly functions: FunctionsOf<M>
}): DefinedApp<M> {
  return { manifest: manifestOf(app.manifest), functions: app.functions }
}
