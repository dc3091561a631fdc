import type { TObject, TProperties } from 'typebox'
import { Type } from 'typebox'

/** An object of another protocol: what is not known of it is let through. */
export const Open = <T extends TProperties>(properties: T, options: object = {}): TObject<T> =>
  Type.Object(properties, { additionalProperties: true, ...options })

export const Metadata = Type.Record(Type.String({ maxLength: 64 }), Type.String({ maxLength: 512 }), {
  maxProperties: 16,
  description: 'Up to 16 texts of up to 512 characters'
})
