/** What a check found, and for anything but ok what to do. */
export type Finding =
  | { readonly status: 'ok'; readonly found: string }
  | { readonly status: 'warning' | 'problem'; readonly found: string; readonly advice: string }

export interface Check {
  readonly name: string
  /** What it throws is a problem, too. */
  look(): Finding | Promise<Finding>
  /** It may take longer than others. */
  readonly seconds?: number
}

export const ok = (found: string): Finding => ({ status: 'ok', found })
export const warning = (found: string, advice: string): Finding => ({ status: 'warning', found, advice })
export const problem = (found: string, advice: string): Finding => ({ status: 'problem', found, advice })

/** Several findings of one check: the worst status, and what all of that status say. */
export function worst(findings: readonly Finding[], otherwise: string): Finding {
  for (const status of ['problem', 'warning'] as const) {
    const those = findings.filter((it) => it.status === status)
    if (those.length === 0) continue
    const advices = those.flatMap((it) => ('advice' in it ? it.advice : []))
    return {
      status,
      found: those.map(({ found }) => found).join('; '),
      advice: [...new Set(advices)].join('; ')
    }
  }
  return ok(findings.map(({ found }) => found).join('; ') || otherwise)
}

const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'] as const

/** Bytes as people read them. */
export function sizeOf(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log(Math.max(1, bytes)) / Math.log(1024)))
  return `${Math.round(bytes / 1024 ** power)} ${UNITS[power]}`
}

export const count = (number: number, one: string, many = `${one}s`): string =>
  `${number} ${number === 1 ? one : many}`
