import type { AppDefinition } from '../definition/define-app.ts'
import type { TestedApp, TestOptions } from './test-app.ts'
import { createTestedApp } from './test-app.ts'

export { AppError } from '../errors.ts'
export type { FetchAnswer, LogLine, PlatformAnswers } from './answers.ts'
export { TestError } from './answers.ts'
export type { TestedApp, TestOptions } from './test-app.ts'

/**
 * An app under test, from what `defineApp` gave or from the folder of an app, whose code is bundled first. Rejects where the
 * app or the grants are not as they have to be.
 */
export async function testApp(app: AppDefinition | string, options?: TestOptions): Promise<TestedApp> {
  if (typeof app !== 'string') return createTestedApp(app, options)
  // The bundler is not needed where the definition is given.
  const { loadApp } = await import('../bundle/load-app.ts')
  const { definition } = await loadApp(app)
  return createTestedApp(definition, options)
}
