import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { findK6 } from '../k6/index.ts'

const bench = fileURLToPath(new URL('index.ts', import.meta.url))

test('the comparison with a plain script prints every figure and counts every request', {
  timeout: 180_000,
}, async () => {
  const { path } = await findK6()
  const args = [bench, '--runs', '1', '--rate', '10', '--seconds', '1', '--ceiling', '1']
  const options = { env: { ...process.env, K6_BIN: path }, timeout: 170_000 }
  const { stdout } = await promisify(execFile)(process.execPath, args, options)
  const rows = stdout.split('\n').map(line => line.trim().split(/ {2,}/))
  const figures = rows.filter(([, ...cells]) => cells.length === 3 && cells[0] !== 'our mix')
  expect(figures).toHaveLength(14)
  for (const [label, ...cells] of figures) {
    const difference = label!.startsWith('sent, less')
    for (const cell of cells)
      difference ? expect(cell).toBe('0.0') : expect(Number(cell), label).toBeGreaterThan(0)
  }
})
