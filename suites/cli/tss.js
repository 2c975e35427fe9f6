#!/usr/bin/env node
// Starts the command: from its sources in the repository, from dist/ where the package is installed. Plain JavaScript,
// because it also has to run on a Node that cannot run the sources: then it hands over to the one of the repository.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

try {
  process.cwd()
} catch {
  console.error('travel-sales: The folder in which this was started is gone: start it in another one.')
  process.exit(2)
}

// They state a version of Node, and lack what loads a definition.
const other = ['bun', 'deno'].find(name => process.versions[name] !== undefined)
if (other !== undefined) {
  console.error(
    `travel-sales: This is ${other} ${process.versions[other]}, and the kit needs Node itself: install Node, and start the kit with it${other === 'bun' ? ', without --bun' : ''}.`,
  )
  process.exit(2)
}

// Node acts on these wherever they stand, so none may reach a further one.
const [ofNode] = process.argv.flatMap(arg => /^--(env-file|experimental-(default-)?config)\b[^=]*/.exec(arg)?.[0] ?? [])
if (ofNode !== undefined) {
  console.error(
    `travel-sales: ${ofNode} is an option of Node itself, which runs what such a file says: name a file of TSS_… variables in TSS_ENV_FILE.`,
  )
  process.exit(2)
}

const source = new URL('./main.ts', import.meta.url)
const built = new URL('../../dist/suites/cli/main.js', import.meta.url)
const repositoryNode = new URL('../../.ci/node/hand-over.js', import.meta.url)
const compiled = new URL('../../.ci/node/keep-compiled.js', import.meta.url)

if (!existsSync(source)) {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  // "engines" of package.json: a test holds that both say the same.
  if (major > 23 || (major === 22 && minor >= 19)) await import(built.href)
  else {
    console.error(
      `travel-sales: This is Node ${process.version}, and the kit needs 22.19 or newer of Node 22, or 24 or newer: install it first.`,
    )
    process.exitCode = 2
  }
} else if (process.features.typescript) {
  const { keepCompiled, loadsDefinition } = await import(compiled.href)
  if (!loadsDefinition(process.argv.slice(2))) keepCompiled()
  await import(source.href)
} else {
  const { handOver } = await import(repositoryNode.href)
  if (!handOver([fileURLToPath(import.meta.url), ...process.argv.slice(2)], { tied: true })) {
    console.error(
      `travel-sales: Node ${process.version} cannot run the sources: run npm ci, which brings one that can, or install Node 24.`,
    )
    process.exitCode = 2
  }
}
