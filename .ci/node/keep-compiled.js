import { mkdirSync, readdirSync } from 'node:fs'
import module from 'node:module'
import { fileURLToPath } from 'node:url'

const FOLDER = fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url))

/**
 * Keeps the sources as they are compiled, for this process, its threads and its children: the next start takes half a
 * second less of the processor. The environment may say where, or that nothing is kept.
 */
export function keepCompiled() {
  if (process.env.NODE_COMPILE_CACHE === undefined) {
    try {
      mkdirSync(FOLDER, { recursive: true, mode: 0o700 })
    } catch {
      return
    }
    process.env.NODE_COMPILE_CACHE = FOLDER
  }
  module.enableCompileCache(process.env.NODE_COMPILE_CACHE)
}

/** Whether a call of `travel-sales` loads a definition of its user. That file may hold a credential, and a copy of it must not be kept. */
export function loadsDefinition([command, ...args]) {
  if (['cleanup', 'replay'].includes(command)) return true
  const named = args.flatMap((arg, at) =>
    arg === '--deployment' ? [args[at + 1]] : (/^--deployment=(.*)/.exec(arg)?.slice(1) ?? []),
  )
  return named.length === 0 ? mayHoldDefinition('.') : named.some(name => name !== 'embedded' && name !== 'env')
}

/** Whether a folder has a module that may be a definition: a command takes it where none is named. */
function mayHoldDefinition(folder) {
  try {
    return readdirSync(folder).some(name => /\.[cm]?[jt]s$/.test(name) && !/\.config\.[cm]?[jt]s$/.test(name))
  } catch {
    return true
  }
}
