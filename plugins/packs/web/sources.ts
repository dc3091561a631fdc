import type { Pack } from './queries.ts'

type Source = Pack['enabled']['from']

const words: Readonly<Record<Source, string>> = {
  environment: 'set by the environment',
  locked: 'locked by the deployment',
  table: 'set here',
  file: "from the deployment's file",
  default: 'default'
}

/** Where a value comes from, in words. */
export const sourceOf = (from: Source): string => words[from]

/** Whether nobody can change it over the API. */
export const isFixed = (from: Source): boolean => from === 'environment' || from === 'locked'
