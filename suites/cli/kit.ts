import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Whether this is the built kit, which is plain JavaScript under `dist/`. */
const built = import.meta.url.endsWith('.js')

/** Folder that holds `suites/` and `fixtures/`: the repository, or `dist/` of the package. */
export const root = fileURLToPath(new URL('../../', import.meta.url))

/** Extension of the kit's own modules. */
export const extension = built ? 'js' : 'ts'

const manifest = new URL(built ? '../../../package.json' : '../../package.json', import.meta.url)
const { name, version } = JSON.parse(readFileSync(manifest, 'utf8')) as { name: string; version: string }

/** What a record says of the kit that made it. */
export const kit = { name, version, node: process.version }
