import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { writeProgram } from '../../fixtures/output/testing/program.ts'
import { program } from './program.ts'
import { freshFolder, startTss } from './testing/command.ts'

/** Returns the completions of the last of these words. */
const offered = (...words: string[]): Promise<string[]> => offeredIn(process.cwd(), ...words)

/** Returns the completions in a given folder. */
async function offeredIn(cwd: string, ...words: string[]): Promise<string[]> {
  const { stdout, code } = await startTss(['complete', '--', ...words], { cwd }).ended
  expect(code).toBe(0)
  const lines = stdout.trim().split('\n')
  // The last line is a directive for the shell.
  expect(lines.pop()).toMatch(/^:\d+$/)
  return lines.map(line => line.split('\t')[0]!)
}

test('offers every command, the options of one, and the values that an option has', async () => {
  const visible = program.createHelp().visibleCommands(program)
  expect(await offered('')).toEqual(expect.arrayContaining(visible.map(command => command.name())))
  expect(await offered('cert')).toEqual(['certify'])
  const certify = program.commands.find(command => command.name() === 'certify')!
  expect(await offered('certify', '--')).toEqual(
    expect.arrayContaining(certify.options.map(({ long }) => long)),
  )
  expect(await offered('certify', '--profile', '')).toEqual(['partner', 'staging', 'full'])
  expect(await offered('init', '--ci', 'git')).toEqual(['github', 'gitlab'])
})

test('offers what can be named: clauses, areas, scenarios, situations, products and runs', async () => {
  expect(await offered('certify', '--only', 'v2-b')).toEqual(['v2-bookings'])
  expect(await offered('explain', 'V2-IDEM-REPLAY-STAT')).toEqual(['V2-IDEM-REPLAY-STATUS'])
  expect(await offered('replay', 'V2-IDEM-REPLAY-STAT')).toEqual(['V2-IDEM-REPLAY-STATUS'])
  expect(await offered('load', '--scenario', 'rate')).toEqual(['rate-limit-burst', 'rate-limit-sustained'])
  expect(await offered('examine', '--situation', 'normal')).toEqual(['normal-day'])
  expect(await offered('init', '--products', 'v2-h')).toEqual(['v2-hotels'])
  const cwd = freshFolder()
  mkdirSync(join(cwd, 'reports/out/20270901T101500-1734'), { recursive: true })
  for (const call of [
    ['cleanup'],
    ['report'],
    ['compare'],
    ['attest'],
    ['certify', '--failed'],
    ['replay', '--run'],
  ])
    expect(await offeredIn(cwd, ...call, 'rep'), call.join(' ')).toEqual(['reports/out/20270901T101500-1734'])
})

test('bash completes with the script that it is given', async () => {
  const { stdout: script } = await startTss(['completion', 'bash']).ended
  const folder = freshFolder()
  writeFileSync(join(folder, 'completion.bash'), script)
  const command = fileURLToPath(new URL('./tss.js', import.meta.url))
  writeProgram(join(folder, 'travel-sales'), `#!/bin/sh\nexec '${process.execPath}' '${command}' "$@"\n`)
  // What the package bash-completion provides in an interactive shell.
  writeFileSync(
    join(folder, 'try.bash'),
    `_get_comp_words_by_ref() { cur=cert prev=travel-sales cword=1; words=(travel-sales cert); }
     source ${join(folder, 'completion.bash')}
     __travel_sales_complete
     printf '%s\\n' "\${COMPREPLY[@]}"
     complete -p travel-sales`,
  )
  const env = { ...process.env, PATH: `${folder}${delimiter}${process.env.PATH}` }
  const { stdout } = await promisify(execFile)('bash', [join(folder, 'try.bash')], { env })
  expect(stdout).toMatch(/^certify/)
  expect(stdout).toMatch(/complete .*__travel_sales_complete travel-sales/)
})

test.each([
  ['zsh', /^#compdef travel-sales/m],
  ['fish', /complete .*-c travel-sales/],
])('prints a script for %s that asks the command itself', async (shell, binding) => {
  const { stdout, code } = await startTss(['completion', shell]).ended
  expect(stdout).toMatch(binding)
  expect(stdout).toContain('travel-sales complete --')
  expect(code).toBe(0)
})
