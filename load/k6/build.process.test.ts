import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { fakeGo, heard, machine, program } from '../testing/machine.ts'
import { findK6 } from './index.ts'

/** The error of Go if a proxy does not serve the version. */
const NOT_SERVED = `echo 'go: downloading go.k6.io/k6/v2 v2.3.0' >&2
printf 'go.k6.io/k6/v2@v2.3.0: reading https://ada:secret@proxy.example/k6.zip: 403 Forbidden\\n\\tserver response: not available.\\n' >&2
exit 1`

describe('with Go', () => {
  test('the pinned version is built into the cache', async () => {
    const { env, bin, cache } = machine()
    const go = fakeGo(bin)
    const found = await findK6({ env })
    expect(found).toEqual({ path: expect.stringContaining(cache), version: '2.3.0', source: 'go' })
    expect(go.log()).toEqual([expect.stringMatching(/^v2.3.0: go build .*-o \S+ go\.k6\.io\/k6\/v2$/)])
    expect(readdirSync(cache)).toHaveLength(1)
    expect(await findK6({ env })).toEqual({ ...found, source: 'cache' })
  })

  test('an older version is built where the pinned one is not served, and found again', async () => {
    const { env, bin } = machine()
    const go = fakeGo(bin, `if [ "$wanted" = v2.3.0 ]; then ${NOT_SERVED}; fi`)
    const { lines, onProgress } = heard()
    const found = await findK6({ env, onProgress })
    expect(found).toMatchObject({ version: '2.2.0', source: 'go' })
    expect(go.log().map(line => line.slice(0, 6))).toEqual(['v2.3.0', 'v2.2.0'])
    expect(lines).toContain(
      'Go 1.26.8 could not build k6 v2.3.0, which needs Go 1.26.0 (go.k6.io/k6/v2@v2.3.0: reading https://proxy.example/k6.zip: 403 Forbidden server response: not available.)',
    )
    expect(await findK6({ env })).toEqual({ ...found, source: 'cache' })
  })

  test('modules are built as published ones, whatever the environment says of modules and workspaces', async () => {
    const { env, bin } = machine()
    const go = fakeGo(bin, `echo "$GO111MODULE $GOWORK $CGO_ENABLED $GOFLAGS" >> '${join(bin, 'go.log')}'`)
    await findK6({ env: { ...env, GO111MODULE: 'off', GOWORK: '/tmp/go.work', GOFLAGS: '-mod=vendor' } })
    expect(go.log()).toEqual([expect.stringContaining(' -mod=mod '), 'on off 0 -mod=vendor'])
  })

  test('a build reports its duration', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
    // Other files share the thread.
    onTestFinished(() => void vi.useRealTimers())
    const { env, bin } = machine()
    fakeGo(bin, `: > '${bin}/at'; while [ ! -e '${bin}/go-on' ]; do sleep 0.02; done`)
    const { lines, onProgress } = heard()
    const search = findK6({ env, onProgress })
    await vi.waitFor(() => expect(existsSync(join(bin, 'at'))).toBe(true))
    vi.advanceTimersByTime(5000)
    program(join(bin, 'go-on'), '')
    await search
    expect(lines.filter(line => line.startsWith('building'))).toEqual([
      'building k6 v2.3.0 with Go 1.26.8, which takes a minute or two',
      'building k6 v2.3.0 with Go 1.26.8: 5 s',
    ])
  })

  test('a module that differs from the published one is an error', async () => {
    const { env, bin, cache } = machine()
    const go = fakeGo(bin, `echo 'verifying example.org/a@v1.0.0: checksum mismatch' >&2; exit 1`)
    await expect(findK6({ env })).rejects.toMatchObject({
      name: 'NoK6',
      fault: 'machine',
      message: expect.stringMatching(/not the published ones: verifying example.org\/a@v1.0.0/),
    })
    expect(go.log()).toHaveLength(1)
    expect(readdirSync(cache)).toEqual([])
  })

  test('two searches at once build once', async () => {
    const { env, bin, cache } = machine()
    const go = fakeGo(bin, 'sleep 0.3')
    const found = await Promise.all([findK6({ env }), findK6({ env })])
    expect(found.map(({ source }) => source).sort()).toEqual(['cache', 'go'])
    expect(found[0].path).toBe(found[1].path)
    expect(go.log()).toHaveLength(1)
    expect(readdirSync(cache)).toHaveLength(1)
  })

  test('an interrupt ends a build and its child processes, and removes its files', async () => {
    const { env, bin, cache } = machine()
    fakeGo(bin, `: > "$GOTMPDIR/half"; : > '${bin}/compiling'; sleep 600`)
    const controller = new AbortController()
    const search = findK6({ env, signal: controller.signal })
    const ended = expect(search).rejects.toThrow('interrupted')
    await vi.waitFor(() => expect(existsSync(join(bin, 'compiling'))).toBe(true))
    controller.abort(new Error('interrupted'))
    await ended
    expect(readdirSync(cache)).toEqual([])
  })
})
