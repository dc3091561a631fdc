/** How a call goes on whose question outlived its process. */
export interface Resumed {
  /** What it said when it asked. */
  readonly resume: unknown
  readonly answer: Answer
}

/** What a tool has to know before it can go on. */
export interface Question {
  readonly message: string
  /** JSON Schema of the content wanted: an object of strings, numbers and booleans. */
  readonly schema: object
}

export interface Answer {
  readonly action: 'accept' | 'decline' | 'cancel'
  /** Of `accept`. */
  readonly content?: Readonly<Record<string, unknown>>
}
