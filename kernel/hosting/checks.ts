/** What is wrong with a value, which is named `at` in each line; nothing when it is as it should be. */
export type Check = (value: unknown, at: string) => readonly string[]

export const check =
  (holds: (value: unknown) => boolean, what: string): Check =>
  (value, at) =>
    holds(value) ? [] : [`${at} must be ${what}`]

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const text = check((value) => typeof value === 'string' && value.trim() !== '', 'a text')
export const number = check((value) => typeof value === 'number' && Number.isFinite(value), 'a number')
export const callable = check((value) => typeof value === 'function', 'a function')

export const named = (shape: RegExp, what: string): Check =>
  check((value) => typeof value === 'string' && shape.test(value), what)

export const listOf =
  (item: Check): Check =>
  (value, at) =>
    Array.isArray(value)
      ? value.flatMap((entry, index) => item(entry, `${at}[${index}]`))
      : [`${at} must be a list`]

/** An object whose keys are names of a certain shape. */
export const recordOf =
  (key: Check, item: Check): Check =>
  (value, at) =>
    isRecord(value)
      ? Object.entries(value).flatMap(([name, entry]) => [
          ...key(name, `the name ${JSON.stringify(name)} in ${at}`),
          ...item(entry, `${at}.${name}`)
        ])
      : [`${at} must be an object`]

/** An object with certain fields and no others; a field that is undefined counts as left out. */
export const objectOf =
  (fields: Readonly<Record<string, Check>>, required: readonly string[]): Check =>
  (value, at) => {
    if (!isRecord(value)) return [`${at || 'it'} must be an object`]
    const prefix = at && `${at}.`
    const unknown = Object.keys(value).filter((name) => !Object.hasOwn(fields, name))
    return [
      ...unknown.map((name) => `unknown field ${prefix}${name}`),
      ...Object.entries(fields).flatMap(([name, field]) =>
        value[name] === undefined && !required.includes(name) ? [] : field(value[name], prefix + name)
      )
    ]
  }
