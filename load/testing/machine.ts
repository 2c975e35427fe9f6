import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { temporaryFolder } from '../../fixtures/client/testing/client.ts'
import { writeProgram } from '../../fixtures/output/testing/program.ts'

/** The programs that fakes and the search need. k6 and Go are never among them. */
const TOOLS = ['cat', 'chmod', 'sleep']

/** A simulated machine: a PATH without k6 and Go, and an empty cache. */
export interface Machine {
  env: { PATH: string; TSS_CACHE_DIR: string; [name: string]: string }
  /** The only folder of its PATH. */
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

/** Collects the progress lines of a search for k6. */
export function heard(): { lines: string[]; onProgress: (line: string) => void } {
  const lines: string[] = []
  return { lines, onProgress: line => void lines.push(line) }
}

/** Writes a shell program. */
export const program = (path: string, script: string): string => writeProgram(path, `#!/bin/sh\n${script}\n`)

/** Returns a script that prints a version as k6 does. */
export const fakeK6 = (version: string): string =>
  `[ "$1" = version ] && echo "k6 v${version} (go1.26.8, linux/amd64)"`

/**
 * Writes a fake Go. It prints a version, logs its builds to `go.log`, and "builds" the fake k6 of the version in
 * go.mod, unless `before` ends it.
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
