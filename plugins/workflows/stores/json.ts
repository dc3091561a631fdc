/** What jsonb does not take: the zero character, and halves of surrogate pairs. */
const unfit = /\\u(?:0000|[dD][89a-fA-F])/

const fit = (_: string, value: unknown): unknown =>
  typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed() : value

/** JSON as a column of jsonb takes it: without characters that it refuses. */
export function encode(value: unknown): string {
  const text = JSON.stringify(value ?? null)
  return unfit.test(text) ? JSON.stringify(value, fit) : text
}
