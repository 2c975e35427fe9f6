import type { OwnShapes } from '../../plan/kit-adapters.ts'

/** Empty here. The bundler replaces this module by one that takes them from the definition. */
export const ownShapes: OwnShapes = {}
