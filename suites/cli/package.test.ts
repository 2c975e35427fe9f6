import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { findK6 } from '../../load/k6/index.ts'
import { freshFolder } from './command.ts'

const run = promisify(execFile)
const repository = fileURLToPath(new URL('../../', import.meta.url))

/** The environment without npm's own variables: they would reach the npm of the other project. */
const environment = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(npm_|TSS_|VITEST|GITHUB_|NODE_OPTIONS)/i.test(name)),
)

test('the package works where it is installed: the command, a definition in TypeScript, and nothing that only development needs', {
  timeout: 900_000,
}, async () => {
  // What has to be got of k6 is got before anything is timed.
  await findK6()
  const project = freshFolder()
  await run('npm', ['pack', '--pack-destination', project], { cwd: repository, env: environment })
  const tarball = readdirSync(project).find(name => name.endsWith('.tgz'))!
  const { stdout: listing } = await run('tar', ['-tzf', join(project, tarball)])
  expect(listing).not.toMatch(/\.test\.|\.env$|node_modules|reports\/out/)
  expect(listing.split('\n')).toEqual(
    expect.arrayContaining(['package/LICENSE', 'package/README.md', 'package/CHANGELOG.md']),
  )

  writeFileSync(join(project, 'package.json'), '{ "name": "partner", "private": true, "type": "module" }')
  await run('npm', ['install', '--no-audit', '--no-fund', tarball], { cwd: project, env: environment })
  const tss = (...args: string[]) =>
    run(process.execPath, [join(project, 'node_modules/.bin/travel-sales'), ...args], {
      cwd: project,
      env: environment,
    })

  const { stdout } = await tss('certify', '--json')
  const { verdict, out, findings, totals } = JSON.parse(stdout)
  expect(findings).toEqual([])
  expect(verdict).toBe('conforms')
  expect(totals.conforms).toBeGreaterThan(100)
  expect(JSON.parse(readFileSync(join(project, out, 'record.json'), 'utf8')).kit.version).toBe(
    JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')).version,
  )
  expect(readFileSync(join(project, out, 'report.html'), 'utf8')).toContain('<html')

  const { load } = JSON.parse((await tss('load', '--scenario', 'booking-contention', '--json')).stdout)
  expect(load.scenarios).toHaveLength(1)

  writeFileSync(
    join(project, 'staging.ts'),
    `import { defineDeployment } from 'travel-sales-conformance'
       const address: string = 'http://127.0.0.1:9'
       export default defineDeployment({
         name: 'staging', baseUrl: address, products: ['v2-transfers'], credentials: { standard: { token: 'x' } },
       })`,
  )
  await expect(tss('certify', '--deployment', 'staging.ts')).rejects.toMatchObject({
    code: 3,
    stderr: expect.stringContaining('http://127.0.0.1:9 could not be reached: the connection was refused'),
  })
  const { stdout: clauses } = await tss('clauses', '--json')
  expect(JSON.parse(clauses).length).toBeGreaterThan(500)
  const published = join(project, 'node_modules/travel-sales-conformance/dist')
  expect(readFileSync(join(published, 'openapi.json'), 'utf8')).toBe((await tss('openapi', '--json')).stdout)
  expect(readFileSync(join(published, 'openapi.yaml'), 'utf8')).toMatch(/^openapi: 3\.1\.\d+$/m)
})
