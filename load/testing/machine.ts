import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { delimiter, join } from 'node:path'
import { temporaryFolder } from '../../fixtures/client/testing/client.ts'
import { listening } from '../../fixtures/client/testing/listening.ts'
import { writeProgram } from '../../fixtures/output/testing/program.ts'
import { PLATFORM, RELEASE, type Release } from '../k6/release.ts'

/** The programs that fakes and the search itself need; no k6 and no Go, whatever this machine has. */
const TOOLS = ['tar', 'gzip', 'cat', 'chmod', 'sleep']

/** A machine of a test's own: a PATH without k6 and Go, and an empty cache. */
export interface Machine {
  env: { PATH: string; TSS_CACHE_DIR: string; [name: string]: string }
  /** The one folder of its PATH. */
  bin: string
  cache: string
}

export function machine(): Machine {
  const bin = temporaryFolder()
  const cache = join(temporaryFolder(), 'cache')
  for (const tool of TOOLS) {
    const folder = (process.env.PATH ?? '').split(delimiter).find(folder => existsSync(join(folder, tool)))
    symlinkSync(join(folder!, tool), join(bin, tool))
  }
  return { env: { PATH: bin, TSS_CACHE_DIR: cache }, bin, cache }
}

/** Keeps the lines that a search for k6 tells. */
export function heard(): { lines: string[]; onProgress: (line: string) => void } {
  const lines: string[] = []
  return { lines, onProgress: line => void lines.push(line) }
}

/** Writes a program for the shell. */
export const program = (path: string, script: string): string => writeProgram(path, `#!/bin/sh\n${script}\n`)

/** Says a version as k6 does, and does nothing else. */
export const fakeK6 = (version: string): string =>
  `[ "$1" = version ] && echo "k6 v${version} (go1.26.8, linux/amd64)"`

/**
 * Says a version as Go does, notes what it is told to build in `go.log` beside it, and "builds" the fake k6 of the
 * version that go.mod requires, unless `before` ends it.
 */
export function fakeGo(bin: string, before = ''): { log: () => string[] } {
  const log = join(bin, 'go.log')
  program(
    join(bin, 'go'),
    `if [ "$1" = version ]; then echo 'go version go1.26.8 linux/amd64'; exit; fi
while read -r word version; do [ "$word" = require ] && wanted="\${version#* }"; done < go.mod
echo "$wanted: go $*" >> '${log}'
${before}
while [ "$1" != -o ]; do shift; done
printf '#!/bin/sh\\necho "k6 %s (go1.26.8, linux/amd64)"\\n' "$wanted" > "$2"
chmod +x "$2"`,
  )
  return { log: () => (existsSync(log) ? readFileSync(log, 'utf8').trimEnd().split('\n') : []) }
}

/** Serves on this machine until the end of the test. */
export const serve = async (listener: RequestListener): Promise<string> => (await listening(listener)).origin

/** An archive of the form of the official ones, with a fake k6 in it. */
export function archive(script = fakeK6('2.3.0')): { bytes: Buffer; file: string; sha256: string } {
  const folder = temporaryFolder()
  const name = `k6-v2.3.0-${PLATFORM}`
  const file = `${name}.tar.gz`
  program(join(folder, name, 'k6'), script)
  execFileSync('tar', ['-czf', file, name], { cwd: folder })
  const bytes = readFileSync(join(folder, file))
  return { bytes, file, sha256: createHash('sha256').update(bytes).digest('hex') }
}

/** Returns the pinned release, with an archive for this platform at an address of the test's. */
export function releaseAt(address: string, { file, sha256 }: { file: string; sha256: string }): Release {
  return { ...RELEASE, address, archives: { [PLATFORM]: { file, sha256 } } }
}

/** The pinned release where no archive is pinned for this platform: there is nothing to download. */
export const SOURCES_ONLY: Release = { ...RELEASE, archives: {} }
