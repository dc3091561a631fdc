import type { paths } from './api.ts'

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/** The paths that have that method. */
export type PathsWith<M extends Method> = {
  [P in keyof paths]: paths[P] extends Record<M, object> ? P : never
}[keyof paths]

/** What a call says beside its method and path. */
export type Init<Operation> = ParamsOf<Operation> & BodyOf<Operation> & CallOptions

export interface CallOptions {
  readonly signal?: AbortSignal | undefined
  readonly headers?: Readonly<Record<string, string>>
  /** Stands for this request when it is repeated; false: none, so that a POST or PATCH is never repeated. */
  readonly idempotencyKey?: string | false | undefined
}

/** Left out where nothing in it is required. */
export type InitArguments<Operation> =
  Record<never, never> extends Init<Operation> ? [init?: Init<Operation>] : [init: Init<Operation>]

type ParamsOf<Operation> = Operation extends { parameters: infer P }
  ? Record<never, never> extends P
    ? { readonly params?: P }
    : { readonly params: P }
  : { readonly params?: never }

type BodyOf<Operation> = Operation extends { requestBody: { content: infer C } }
  ? { readonly body: SentAs<C> }
  : Operation extends { requestBody?: infer B }
    ? { readonly body?: ContentOf<NonNullable<B>> }
    : { readonly body?: never }

type ContentOf<B> = [B] extends [never] ? never : B extends { content: infer C } ? SentAs<C> : never

/** A form goes as such: fields and their bytes are not told by the compiler. */
type SentAs<C> = { [T in keyof C]: T extends 'multipart/form-data' ? FormData : C[T] }[keyof C]

type Success = 200 | 201 | 202 | 203 | 204 | 206

/** The body of a reply, as it is documented. A stream of events that is not read as one is its text. */
export type BodyOfReply<Operation> = Operation extends { responses: infer R }
  ? [keyof R & Success] extends [never]
    ? unknown
    : ReplyContent<R[keyof R & Success]>
  : unknown

type ReplyContent<Reply> = Reply extends { content: infer C }
  ? C extends { 'text/event-stream': unknown }
    ? string
    : C[keyof C]
  : undefined

/** One method of the client: typed by the path. */
export type Call<M extends Method> = <P extends PathsWith<M>>(
  path: P,
  ...init: InitArguments<paths[P][M]>
) => Promise<BodyOfReply<paths[P][M]>>

type GetOf<P extends keyof paths> = paths[P]['get']

/** The paths that answer with a list. */
export type ListPaths = {
  [P in keyof paths]: BodyOfReply<GetOf<P>> extends { data: readonly unknown[] } ? P : never
}[keyof paths]

export type ItemOf<P extends ListPaths> =
  BodyOfReply<GetOf<P>> extends { data: readonly (infer Item)[] } ? Item : never

/** Goes through all items of a list, page by page. */
export type List = <P extends ListPaths>(
  path: P,
  ...init: InitArguments<GetOf<P>>
) => AsyncIterableIterator<ItemOf<P>>
