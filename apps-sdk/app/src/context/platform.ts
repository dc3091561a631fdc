import type { Capabilities } from './capabilities.ts'

type HeadOf<N extends string> = N extends `${infer Head}.${string}` ? Head : N
type RestOf<N extends string, Head extends string> = N extends `${Head}.${infer Rest}` ? Rest : never

/** Of a capability that was not there when these types were made: nothing is known of it. */
type AnyCall = (params?: Readonly<Record<string, unknown>>) => Promise<unknown>
type TypedCall<P, R> = Record<never, never> extends P ? (params?: P) => Promise<R> : (params: P) => Promise<R>
type CallOf<N extends string> = N extends keyof Capabilities
  ? TypedCall<Capabilities[N]['params'], Capabilities[N]['result']>
  : AnyCall

type Tree<N extends string, Prefix extends string> = {
  readonly [Head in HeadOf<N>]: (Head extends N ? CallOf<`${Prefix}${Head}`> : unknown) &
    ([RestOf<N, Head>] extends [never] ? unknown : Tree<RestOf<N, Head>, `${Prefix}${Head}.`>)
}

/** `platform.agents.read(params)` for each capability of those names: `agents.read`. */
export type PlatformOf<Names extends string> = Tree<Names, ''>
