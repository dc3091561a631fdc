export type { Problem } from './check.ts'
export { checkFiles, checkManifest } from './check.ts'
export { hostProblem, isHostWithin } from './hosts.ts'
export { APP_ID, Manifest } from './schema.ts'
