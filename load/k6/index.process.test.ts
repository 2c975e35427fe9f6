import { existsSync, readdirSync, symlinkSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { temporaryFolder } from '../../fixtures/client/testing/client.ts'
import { writeProgram } from '../../fixtures/output/testing/program.ts'
import { builtK6 } from './build.ts'
import { findK6, NoK6, presentK6 } from './index.ts'

/** Simulates a machine: a PATH without k6 and Go, and an empty cache. */
function machine() {
  const bin = temporaryFolder()
  for (const tool of ['chmod', 'sleep']) {
    const folder = (process.env.PATH ?? '').split(delimiter).find(folder => existsSync(join(folder, tool)))
    symlinkSync(join(folder!, tool), join(bin, tool))
  }
  const lines: string[] = []
  const env = { PATH: bin, TSS_CACHE_DIR: join(temporaryFolder(), 'cache') }
  return { env, bin, lines, onProgress: (line: string) => void lines.push(line) }
}

const program = (path: string, script: string): string => writeProgram(path, `#!/bin/sh\n${script}\n`)

/** Returns a script that prints a version as k6 does. */
const fakeK6 = (version: string): string =>
  `[ "$1" = version ] && echo "k6 v${version} (go1.26.8, linux/amd64)"`

/** Writes a Go that "builds" a k6, unless `before` ends it. */
const fakeGo = (bin: string, before = '') =>
  program(
    join(bin, 'go'),
    `${before}
while [ "$1" != -o ]; do shift; done
printf '#!/bin/sh\\necho "k6 v2.2.0 ($GO111MODULE $GOWORK $CGO_ENABLED)"\\n' > "$2"
chmod +x "$2"`,
  )

test('K6_BIN goes before the PATH, that before what Go built, and Go builds only where there is none', async () => {
  const { env, bin, lines, onProgress } = machine()
  expect(await presentK6({ env })).toEqual({ passed: ['there is none on the PATH'] })
  fakeGo(bin)
  const path = builtK6(env)
  expect(await findK6({ env, onProgress })).toEqual({ path, version: '2.2.0', source: 'go' })
  expect(readdirSync(dirname(path))).toEqual(['k6'])
  fakeGo(bin, 'exit 1')
  expect(await findK6({ env })).toEqual({ path, version: '2.2.0', source: 'go' })

  const old = program(join(bin, 'k6'), fakeK6('0.49.0'))
  expect((await findK6({ env, onProgress })).path).toBe(path)
  expect(lines.at(-1)).toBe(`${old} is k6 0.49.0, older than 2.0.0: it is passed over`)
  program(old, fakeK6('10.0.0-rc1'))
  expect(await findK6({ env })).toEqual({ path: old, version: '10.0.0-rc1', source: 'PATH' })
  const named = program(join(bin, 'elsewhere', 'my-k6'), fakeK6('2.1.0'))
  expect(await findK6({ env: { ...env, K6_BIN: named } })).toEqual({
    path: named,
    version: '2.1.0',
    source: 'K6_BIN',
  })
})

test('a K6_BIN that cannot be used is an error, even if there is another k6', async () => {
  const { env, bin } = machine()
  program(join(bin, 'k6'), fakeK6('2.3.0'))
  const path = program(join(bin, 'my-k6'), 'echo 7-Zip')
  const error = new NoK6(
    'call',
    `K6_BIN names ${path}, which does not say its version (it ended with 0): name a k6 2.0.0 or newer, or unset K6_BIN to have one found.`,
  )
  await expect(findK6({ env: { ...env, K6_BIN: path } })).rejects.toThrow(error)
  expect((await presentK6({ env: { ...env, K6_BIN: path } })).passed).toEqual([error.message])
})

test.each([
  [
    'no Go',
    undefined,
    /^There is no k6, .*there is none on the PATH; Go does not start\): install k6 2\.0\.0/,
  ],
  [
    'a proxy that lacks it',
    `echo 'go: downloading x v1' >&2; echo 'reading https://ada:secret@proxy.example/k6.zip: 403' >&2; exit 1`,
    /Go 1\.25\.0 or newer is needed: reading https:\/\/proxy\.example\/k6\.zip: 403\)/,
  ],
])('with %s one sentence says what was tried and what to do', async (_, go, sentence) => {
  const { env, bin } = machine()
  if (go !== undefined) fakeGo(bin, go)
  await expect(findK6({ env })).rejects.toMatchObject({
    fault: 'machine',
    message: expect.stringMatching(sentence),
  })
  expect(readdirSync(dirname(builtK6(env)))).toEqual([])
})

test('an interrupt ends a build and its child processes, and removes its files', async () => {
  const { env, bin } = machine()
  fakeGo(bin, `: > "$GOTMPDIR/half"; : > '${bin}/compiling'; sleep 600`)
  const controller = new AbortController()
  const ended = expect(findK6({ env, signal: controller.signal })).rejects.toThrow('interrupted')
  await vi.waitFor(() => expect(existsSync(join(bin, 'compiling'))).toBe(true))
  controller.abort(new Error('interrupted'))
  await ended
  expect(readdirSync(dirname(builtK6(env)))).toEqual([])
})
