#!/usr/bin/env node
// Starts the command: from its sources in the repository, from dist/ where the package is installed. Plain JavaScript,
// because it also has to run on a Node that cannot run the sources: then it hands over to the one of the repository.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import { fileURLToPath } from 'node:url'

const source = new URL('./main.ts', import.meta.url)
const built = new URL('../../dist/suites/cli/main.js', import.meta.url)
const projectNode = new URL('../../node_modules/node/bin/node', import.meta.url)

if (!existsSync(source)) {
  const oldest = 24
  if (Number.parseInt(process.versions.node, 10) >= oldest) await import(built.href)
  else {
    console.error(`tss: This is Node ${process.version}, and the kit needs ${oldest} or newer: install it first.`)
    process.exitCode = 2
  }
} else if (process.features.typescript) {
  await import(source.href)
} else if (existsSync(projectNode)) {
  const command = [fileURLToPath(source), ...process.argv.slice(2)]
  const child = spawn(fileURLToPath(projectNode), command, { stdio: 'inherit' })
  // Signals from a terminal reach the child as well; it takes two in quick succession as one.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 128 + constants.signals[signal ?? 'SIGTERM']
  })
} else {
  console.error(`tss: Node ${process.version} cannot run the sources: run npm ci first, it brings a Node that can.`)
  process.exitCode = 2
}
