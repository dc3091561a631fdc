type Ask = (method: string, params?: unknown) => Promise<unknown>

/** `tree(ask).a.b(params)` asks for `a.b`: what `platform` and `storage` are, where names are not known before. */
export function tree(ask: Ask, prefix = ''): unknown {
  const call = (params?: unknown) => ask(prefix, params)
  return new Proxy(call, {
    get: (_, name) => {
      // What is awaited or printed is no capability.
      if (typeof name !== 'string' || name === 'then' || name === 'toJSON') return undefined
      return tree(ask, prefix === '' ? name : `${prefix}.${name}`)
    }
  })
}
