export type { Capabilities } from './context/capabilities.ts'
export type { About, AppFetch, AppFetchInit, Call, Console, Context, ContextOf } from './context/context.ts'
export type { PlatformOf } from './context/platform.ts'
export type { Storage, StorageMethods, StoredDocument, StoredValue } from './context/storage.ts'
export type {
  AppDefinition,
  DefinedApp,
  FunctionDraft,
  FunctionsOf,
  InputOf,
  OutputOf
} from './definition/define-app.ts'
export { defineApp } from './definition/define-app.ts'
export type { ManifestDraft } from './definition/manifest-draft.ts'
