/** A random key of 128 bits. `randomUUID` is not there on pages that came over plain HTTP from another host. */
export const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    ''
  )
