export type Json = Record<string, unknown>

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** An object, or an empty one where it is none. */
export const objectIn = (value: unknown): Json => (isObject(value) ? value : {})

/** Returns the objects of a list that stands in an object. */
export function listed(value: unknown, name: string): Json[] {
  const list = objectIn(value)[name]
  return Array.isArray(list) ? list.filter(isObject) : []
}
