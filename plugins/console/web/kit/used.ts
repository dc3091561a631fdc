import { bytesOf } from './bytes.ts'

const count = (amount: number, one: string, many: string) =>
  `${amount.toLocaleString('en')} ${amount === 1 ? one : many}`
const words: Readonly<Record<string, (amount: number) => string>> = {
  'app.calls': (calls) => count(calls, 'call', 'calls'),
  'app.functionCalls': (calls) => count(calls, 'function', 'functions'),
  'app.cpuMs': (ms) => `${ms.toLocaleString('en', { maximumFractionDigits: 1 })} ms of the processor`,
  'app.characters': (characters) => count(characters, 'character', 'characters'),
  'app.egressCalls': (calls) => count(calls, 'request to others', 'requests to others'),
  'app.egressBytes': (bytes) => `${bytesOf(bytes)} of traffic`
}

/** What something used up, in words: `2 calls, 1.3 ms of the processor`; undefined where that is nothing. */
export const usedText = (used: readonly { meter: string; quantity: string }[]): string | undefined =>
  used.map(({ meter, quantity }) => words[meter]?.(Number(quantity)) ?? `${meter}: ${quantity}`).join(', ') ||
  undefined
