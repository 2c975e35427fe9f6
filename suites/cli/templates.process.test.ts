import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { template } from './templates.ts'
import { freshFolder } from './testing/command.ts'

test('the workflow passes no secret as an argument', async () => {
  expect(await template('github')).not.toMatch(/run: .*secrets\./)
})

test('what is uploaded holds no journal of bookings, and a run that was killed is cleaned up before', async () => {
  const { jobs } = parse(await template('github'))
  const steps: { run?: string; if?: string; with?: { path?: string } }[] = jobs.certify.steps
  const at = steps.findIndex(step => step.run?.includes('npx travel-sales cleanup "$run"'))
  expect(steps[at]?.if).toMatch(/always\(\)/)
  expect(steps[at + 1]?.with?.path?.trim().split('\n')).toEqual([
    'reports/out',
    '!reports/out/**/ledger.ndjson',
  ])
  const { 'travel-sales': job } = parse(await template('gitlab'))
  expect(job.after_script[0]).toBe(steps[at]!.run)
  expect(job.artifacts).toMatchObject({
    paths: ['reports/out/', 'public/'],
    exclude: ['reports/out/**/ledger.ndjson'],
  })
})

interface Step {
  keyword: string
  words: string
}

/** Returns the instructions of the Containerfile, each on one line. */
async function steps(): Promise<Step[]> {
  const lines = (await template('container')).replaceAll(/^(#.*)?\n/gm, '').replaceAll(/\\\n\s*/g, ' ')
  return [...lines.matchAll(/^(\w+) (.*)$/gm)].map(([, keyword = '', words = '']) => ({ keyword, words }))
}

test('the image is of the pinned k6, and does not run as root', async () => {
  const file = await steps()
  const known = 'ADD ARG CMD COPY ENTRYPOINT ENV FROM RUN USER WORKDIR'.split(' ')
  expect(file.filter(({ keyword }) => !known.includes(keyword))).toEqual([])
  const args = Object.fromEntries(
    file.filter(({ keyword }) => keyword === 'ARG').map(({ words }) => words.split('=') as [string, string]),
  )
  expect(args).toMatchObject({
    K6_VERSION: expect.stringMatching(/^v2\./),
    K6_SHA256_AMD64: expect.stringMatching(/^[0-9a-f]{64}$/),
    K6_SHA256_ARM64: expect.stringMatching(/^[0-9a-f]{64}$/),
  })
  const users = file.filter(({ keyword }) => keyword === 'USER')
  expect(users.at(-1)!.words).toBe('node')
  expect(file.findLastIndex(({ keyword }) => keyword === 'RUN')).toBeLessThan(
    file.findIndex(({ keyword }) => keyword === 'USER'),
  )
  const { engines } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  const oldest = Number(/\d+/.exec(engines.node)![0])
  for (const { words } of file.filter(({ keyword }) => keyword === 'FROM'))
    expect(Number(/node:(\d+)/.exec(words)![1])).toBeGreaterThanOrEqual(oldest)
})

test('its steps take a k6 of the right hash, and no other', async () => {
  const folder = freshFolder()
  const release = 'k6-v2.3.0-linux-amd64'
  mkdirSync(join(folder, release))
  mkdirSync(join(folder, 'bin'))
  writeFileSync(join(folder, release, 'k6'), 'the program')
  execFileSync('tar', ['-czf', join(folder, 'k6.tar.gz'), '-C', folder, release])
  const sum = createHash('sha256')
    .update(readFileSync(join(folder, 'k6.tar.gz')))
    .digest('hex')
  const [check, extract] = (await steps()).filter(({ keyword }) => keyword === 'RUN')
  const run = ({ words }: Step, env: Record<string, string>) =>
    spawnSync(
      '/bin/sh',
      ['-c', words.replaceAll('/tmp/', `${folder}/`).replace('/usr/local/bin', `${folder}/bin`)],
      { env: { PATH: process.env.PATH!, K6_VERSION: 'v2.3.0', TARGETARCH: 'amd64', ...env } },
    ).status
  expect(run(check!, { K6_SHA256_AMD64: sum })).toBe(0)
  expect(run(check!, { K6_SHA256_AMD64: '0'.repeat(64) })).not.toBe(0)
  expect(run(check!, { TARGETARCH: 'riscv64' })).not.toBe(0)
  expect(run(extract!, {})).toBe(0)
  expect(readFileSync(join(folder, 'bin/k6'), 'utf8')).toBe('the program')
  // The other steps install what npm publishes; here a shell only parses them.
  for (const { words } of (await steps()).filter(({ keyword }) => keyword === 'RUN'))
    expect(spawnSync('/bin/sh', ['-n', '-c', words]).status).toBe(0)
})
