import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { VERSION } from '../../load/k6/build.ts'
import { template } from './definitions/init.ts'
import { freshFolder } from './testing/command.ts'

test('no secret is an argument, what is uploaded holds no journal of bookings, and a killed run is cleaned up before', async () => {
  const text = await template('github')
  expect(text).not.toMatch(/run: .*secrets\./)
  const { jobs } = parse(text)
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

test('the image takes a k6 of the right hash, and no other, and does not run as root', async () => {
  const file = (await template('container')).replaceAll(/^(#.*)?\n/gm, '').replaceAll(/\\\n\s*/g, ' ')
  const [check = '', extract = ''] = [...file.matchAll(/^RUN (.*)$/gm)].map(([, words]) => words)
  expect(file).toMatch(/^USER node\n(?!.*^RUN)/ms)
  expect(file).toMatch(/^ENTRYPOINT \["node", "--", /m)
  const folder = freshFolder()
  expect(file).toContain(`ARG K6_VERSION=${VERSION}\n`)
  const release = `k6-${VERSION}-linux-amd64`
  mkdirSync(join(folder, release))
  mkdirSync(join(folder, 'bin'))
  writeFileSync(join(folder, release, 'k6'), 'the program')
  execFileSync('tar', ['-czf', join(folder, 'k6.tar.gz'), '-C', folder, release])
  const sum = createHash('sha256')
    .update(readFileSync(join(folder, 'k6.tar.gz')))
    .digest('hex')
  const run = (words: string, env: Record<string, string>) =>
    spawnSync(
      '/bin/sh',
      ['-c', words.replaceAll('/tmp/', `${folder}/`).replace('/usr/local/bin', `${folder}/bin`)],
      { env: { PATH: process.env.PATH!, K6_VERSION: VERSION, TARGETARCH: 'amd64', ...env } },
    ).status
  expect(run(check, { K6_SHA256_AMD64: sum })).toBe(0)
  expect(run(check, { K6_SHA256_AMD64: '0'.repeat(64) })).not.toBe(0)
  expect(run(check, { TARGETARCH: 'riscv64' })).not.toBe(0)
  expect(run(extract, {})).toBe(0)
  expect(readFileSync(join(folder, 'bin/k6'), 'utf8')).toBe('the program')
})
