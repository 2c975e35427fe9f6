import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { findK6 } from '../k6/index.ts'

const bench = fileURLToPath(new URL('index.ts', import.meta.url))

/** Figures that autocannon, which knows no journeys, has none of; and those that only our own mix has. */
const MIXES_ALONE = /^(requests in a journey|journeys|journeys\/s)/
const OURS_ALONE = /from when a journey was due/

test('the comparison of load generators prints every figure, and nothing that was sent is uncounted', {
  timeout: 180_000,
}, async () => {
  const { path } = await findK6()
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [bench, '--runs', '1', '--rate', '10', '--seconds', '1', '--ceiling', '1'],
    { env: { ...process.env, K6_BIN: path }, timeout: 170_000 },
  )
  const rows = stdout.split('\n').map(line => {
    const [label = '', ...cells] = line.trim().split(/ {2,}/)
    return { label, cells }
  })
  const figures = rows.filter(({ cells }) => cells.length === 3 && cells[0] !== 'our mix')
  expect(figures.length).toBeGreaterThan(25)
  for (const { label, cells } of figures) {
    if (label.startsWith('most memory') && process.platform !== 'linux') continue
    const known = OURS_ALONE.test(label) ? 1 : MIXES_ALONE.test(label) ? 2 : 3
    expect(cells.slice(0, known).map(Number).filter(Number.isFinite), label).toHaveLength(known)
    expect(cells.slice(known), label).toEqual(Array(3 - known).fill('–'))
  }
  const alone = rows.filter(({ label }) => /÷|end of judging/.test(label))
  expect(alone).toHaveLength(4)
  for (const { label, cells } of alone) expect(Number.parseFloat(cells[0]!), label).toBeGreaterThan(0)
  const differences = figures.filter(({ label }) => label === 'difference')
  expect(differences.map(({ cells }) => cells.slice(0, 2))).toEqual([
    ['0', '0'],
    ['0', '0'],
  ])
})
