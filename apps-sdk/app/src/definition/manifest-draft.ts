import type { Manifest } from '../manifest/schema.ts'

type ReadonlyDeep<T> = T extends readonly (infer Item)[]
  ? readonly ReadonlyDeep<Item>[]
  : T extends object
    ? { readonly [K in keyof T]: ReadonlyDeep<T[K]> }
    : T
type ListName = 'capabilities' | 'egress' | 'connections' | 'pages'
type DeclaredFunction = Manifest['functions'][number]

/** A function as authors write it down: input and output are TypeBox types or JSON Schema. */
export type FunctionDraft = ReadonlyDeep<Omit<DeclaredFunction, 'input' | 'output'>> & {
  readonly input: object
  readonly output?: object
}

/** A manifest as authors write it down: what goes without saying may be left out. */
export type ManifestDraft = ReadonlyDeep<
  Omit<Manifest, 'manifestVersion' | 'server' | 'functions' | ListName> & Partial<Pick<Manifest, ListName>>
> & {
  readonly functions?: readonly FunctionDraft[]
}

/** Where bundles have the code of all functions. */
export const SERVER_ENTRY = 'server.js'

/** With what goes without saying: version 1 of manifests, empty lists, and server code where there are functions. */
export function manifestOf(draft: ManifestDraft): Manifest {
  const { functions = [], capabilities = [], egress = [], connections = [], pages = [], ...rest } = draft
  return {
    manifestVersion: 1,
    ...rest,
    ...(functions.length > 0 && { server: { entry: SERVER_ENTRY } }),
    capabilities,
    egress,
    connections,
    functions,
    pages
  } as unknown as Manifest
}
