import { typeid } from 'typeid-js'

/** A new time-ordered identifier, `<prefix>_` and a UUIDv7 in base32 (TypeID 0.3). */
export const newId = (prefix: string): string => typeid(prefix).toString()

const shape = /^([a-z](?:[a-z_]{0,61}[a-z])?)_[0-7][0-9a-hjkmnp-tv-z]{25}$/

/** The type of an identifier, or undefined where it has not the shape of one. */
export const typeOfId = (id: string): string | undefined => shape.exec(id)?.[1]
