import { isObject, type JsonObject } from '../../../fixtures/ground/json.ts'

/** Returns an object, or an empty one for other values. */
export const objectIn = (value: unknown): JsonObject => (isObject(value) ? value : {})

/** Returns the objects of a list in an object. */
export function listed(value: unknown, name: string): JsonObject[] {
  const list = objectIn(value)[name]
  return Array.isArray(list) ? list.filter(isObject) : []
}
