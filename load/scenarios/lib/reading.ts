import { isObject, type JsonObject } from '../../../fixtures/json.ts'

/** An object, or an empty one where it is none. */
export const objectIn = (value: unknown): JsonObject => (isObject(value) ? value : {})

/** Returns the objects of a list that stands in an object. */
export function listed(value: unknown, name: string): JsonObject[] {
  const list = objectIn(value)[name]
  return Array.isArray(list) ? list.filter(isObject) : []
}
