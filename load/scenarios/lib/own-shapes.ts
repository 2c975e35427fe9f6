import type { OwnShapes } from '../../plan/kit-adapters.ts'

/** None here: the bundler puts a module in the place of this one that takes them from the definition. */
export const ownShapes: OwnShapes = {}
