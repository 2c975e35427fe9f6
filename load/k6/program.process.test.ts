import { execFile, execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../fixtures/client/testing/client.ts'
import { runProgram } from './program.ts'

const env = process.env
const never = new AbortController().signal

test('a program returns its exit code and output', async () => {
  const heard: string[] = []
  const ended = await runProgram('/bin/sh', ['-c', 'echo out; echo err >&2; exit 3'], {
    env,
    signal: never,
    onStderr: text => heard.push(text),
  })
  expect(ended).toEqual({ code: 3, stdout: 'out\n', stderr: 'err\n' })
  expect(heard.join('')).toBe('err\n')
})

test('of a long output the end is kept', async () => {
  const { stdout } = await runProgram('/bin/sh', ['-c', 'yes | head -c 1000000; echo end'], {
    env,
    signal: never,
  })
  expect(stdout.length).toBeLessThan(500_000)
  expect(stdout).toMatch(/y\nend\n$/)
})

test('a missing program is a system error', async () => {
  await expect(runProgram('/not/there', [], { env, signal: never })).rejects.toMatchObject({ code: 'ENOENT' })
})

test('an abort ends a program and its children', async () => {
  const controller = new AbortController()
  // A remaining child would keep the output open, and the program would not end.
  const running = runProgram('/bin/sh', ['-c', 'sleep 600 & echo on >&2; wait'], {
    env,
    signal: controller.signal,
    onStderr: () => controller.abort(new Error('interrupted')),
  })
  await expect(running).rejects.toThrow('interrupted')
})

test('a program ends with the process that started it', async () => {
  const source = fileURLToPath(new URL('./program.ts', import.meta.url))
  // Reading ends once no process holds it open for writing.
  const held = join(temporaryFolder(), 'held')
  execFileSync('mkfifo', [held])
  const starter = promisify(execFile)(process.execPath, [
    '--input-type=module',
    '--eval',
    `import { runProgram } from ${JSON.stringify(source)}
     await runProgram('/bin/sh', ['-c', 'exec 9> ${held}; echo on >&2; sleep 600'], {
       env: process.env,
       signal: new AbortController().signal,
       onStderr: () => process.exit(),
     })`,
  ])
  expect(await readFile(held, 'utf8')).toBe('')
  await starter
})
