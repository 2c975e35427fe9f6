// Starts a file, or the command of an installed package, on a Node that can run the sources:
// `node .ci/node/start.js vitest run`, `node .ci/node/start.js suites/cli/bench.ts`.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { handOver } from './hand-over.js'
import { keepCompiled } from './keep-compiled.js'

const [command, ...args] = process.argv.slice(2)

function fileOf(name) {
  if (name.includes('.')) return resolve(name)
  const folder = new URL(`../../node_modules/${name}/`, import.meta.url)
  const { bin } = JSON.parse(readFileSync(new URL('package.json', folder), 'utf8'))
  return fileURLToPath(new URL(typeof bin === 'string' ? bin : bin[name], folder))
}

const file = fileOf(command)
if (process.features.typescript) {
  keepCompiled()
  process.argv = [process.execPath, file, ...args]
  await import(pathToFileURL(file).href)
} else if (!handOver([fileURLToPath(import.meta.url), command, ...args])) {
  console.error(`Node ${process.version} cannot run the sources: run npm ci, or install Node 24.`)
  process.exitCode = 2
}
