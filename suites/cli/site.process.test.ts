import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { exampleRecord } from '../../reports/testing/example.ts'
import { freshFolder, runTss } from './testing/command.ts'

test('site writes the runs of a folder as pages, and says in one sentence what it cannot do', async () => {
  const folder = freshFolder()
  const runs = join(folder, 'runs')
  const out = join(folder, 'public')
  mkdirSync(join(runs, 'one'), { recursive: true })
  writeFileSync(join(runs, 'one/record.json'), JSON.stringify(exampleRecord))
  const written = await runTss(['site', runs, '--out', out, '--keep', '90000d'])
  expect(written.stdout).toMatch(/^\d+ pages of 1 run, 1 of them with pages of their own: .*index\.html\n$/)
  expect(written.code).toBe(0)
  expect(readFileSync(join(out, 'index.html'), 'utf8')).toContain('V2-IDEM-REPLAY')
  expect(existsSync(join(out, 'runs/one/index.html'))).toBe(true)

  for (const [args, sentence] of [
    [['site', join(folder, 'none'), '--out', out], /There is no folder .*none that can be read: name/],
    [['site', runs, '--out', runs], /holds other files: name a folder that is empty/],
    [['site', runs, '--out', out, '--keep', 'all'], /Write a number of runs, such as 30, or of days/],
  ] as const) {
    const refused = await runTss(args)
    expect(refused.stderr).toMatch(sentence)
    expect(refused.stderr).not.toContain('    at ')
    expect(refused.code).toBe(2)
  }
})
