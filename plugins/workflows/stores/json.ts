/** What jsonb does not take: the zero character, and halves of surrogate pairs. */
const unfit = /\\u(?:0000|[dD][89a-fA-F])/

const kept = (text: string) => text.replaceAll('\0', '').toWellFormed()

/** Names of what an expression made may have such characters as well as values. */
function fit(_: string, value: unknown): unknown {
  if (typeof value === 'string') return kept(value)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, it]) => [kept(name), it]))
}

/** A value as it is once it was recorded, and that as JSON. */
export function recordable<T>(value: T): { readonly value: T; readonly text: string } {
  const text = JSON.stringify(value ?? null)
  if (!unfit.test(text)) return { value, text }
  const fitting = JSON.stringify(value, fit)
  return { value: JSON.parse(fitting), text: fitting }
}

/** JSON as a column of jsonb takes it: without characters that it refuses. */
export const encode = (value: unknown): string => recordable(value).text
