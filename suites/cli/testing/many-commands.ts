/**
 * Runs commands that it receives over its channel, one after the other, in this one process, for tests of output and files.
 * Starting a process and loading the shared modules takes longer than most commands.
 */
import { fileURLToPath } from 'node:url'

export interface Command {
  args: readonly string[]
  cwd: string
  env: Readonly<Record<string, string | undefined>>
}

const said = { stdout: '', stderr: '' }
for (const name of ['stdout', 'stderr'] as const) {
  process[name].write = ((text: string | Uint8Array, ...rest: unknown[]) => {
    said[name] += typeof text === 'string' ? text : Buffer.from(text).toString()
    for (const done of rest) if (typeof done === 'function') done()
    return true
  }) as typeof process.stdout.write
}
const { call } = await import('../call.ts')

process.on('message', async ({ args, cwd, env }: Command) => {
  for (const name of Object.keys(process.env)) delete process.env[name]
  Object.assign(process.env, env)
  process.argv = [process.execPath, fileURLToPath(import.meta.resolve('../tss.js')), ...args]
  // The test runner sets it when a check fails, and commander uses it to end help.
  process.exitCode = undefined
  process.chdir(cwd)
  Object.assign(said, { stdout: '', stderr: '' })
  const code = await call(args)
  process.chdir('/')
  process.send!({ code, signal: null, ...said })
})
process.once('disconnect', () => process.exit())
