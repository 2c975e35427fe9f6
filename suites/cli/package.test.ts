import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { findK6 } from '../../load/k6/index.ts'
import { freshFolder } from './testing/command.ts'

const run = promisify(execFile)
const repository = fileURLToPath(new URL('../../', import.meta.url))

const manifest = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'))

/** The environment without npm's own variables: they would reach the npm of the other project. */
const environment = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(npm_|TSS_|VITEST|GITHUB_|NODE_OPTIONS)/i.test(name)),
)

/** Starts `travel-sales serve` of the package; gives the variables that it prints. */
async function serving(project: string): Promise<{ served: string; ended: () => Promise<void> }> {
  const server = spawn(
    process.execPath,
    [join(project, 'node_modules/.bin/travel-sales'), 'serve', '--port', '0', '--control-port', '0'],
    { cwd: project, env: environment, stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const gone = once(server, 'exit')
  onTestFinished(() => void server.kill('SIGKILL'))
  let said = ''
  for await (const chunk of server.stdout.setEncoding('utf8')) {
    said += chunk
    if (said.includes('Ctrl-C stops it.')) break
  }
  return {
    served: said
      .split('\n')
      .filter(line => line.startsWith('TSS_'))
      .join('\n'),
    async ended() {
      server.kill('SIGTERM')
      await gone
    },
  }
}

test('the package says which Node it needs, in one way', async () => {
  const { engines, repository: address, publishConfig } = manifest
  expect(engines.node).toBe('^22.19.0 || >=24.0.0')
  const starter = readFileSync(join(repository, 'suites/cli/tss.js'), 'utf8')
  expect(starter).toContain('major > 23 || (major === 22 && minor >= 19)')
  expect(publishConfig).toEqual({ access: 'public', provenance: true })
  // Until there is a public address, none is named.
  expect(address).toBeUndefined()
})

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
    expect.arrayContaining([
      'package/LICENSE',
      'package/README.md',
      'package/CHANGELOG.md',
      'package/suites/cli/templates/Containerfile',
      'package/dist/fixtures/deployments/index.d.ts',
    ]),
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
    manifest.version,
  )
  expect(readFileSync(join(project, out, 'report.html'), 'utf8')).toContain('<html')

  const { served, ended } = await serving(project)
  writeFileSync(join(project, '.env'), served)
  expect((await tss('init')).stdout).toContain('Every open shape was seen')
  const diagnosis = JSON.parse((await tss('doctor', '--deployment', 'deployment.ts', '--json')).stdout)
  expect(diagnosis).toMatchObject({ canStart: true, profile: { name: 'staging' } })
  expect(diagnosis.control.given).toContain('mint')
  const part = ['--only', 'v2-offers', '--json']
  const certified = JSON.parse((await tss('certify', '--deployment', 'deployment.ts', ...part)).stdout)
  expect(certified).toMatchObject({ verdict: 'conforms', findings: [] })
  expect(certified.totals.conforms).toBeGreaterThan(10)
  await ended()
  rmSync(join(project, '.env'))

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
  for (const kind of ['github', 'gitlab', 'container']) {
    expect((await tss('init', '--ci', kind)).stdout).toContain('travel-sales')
  }
  const { stdout: clauses } = await tss('clauses', '--json')
  expect(JSON.parse(clauses).length).toBeGreaterThan(500)
  const published = join(project, 'node_modules/travel-sales-conformance/dist')
  expect(readFileSync(join(published, 'openapi.json'), 'utf8')).toBe((await tss('openapi', '--json')).stdout)
  expect(readFileSync(join(published, 'openapi.yaml'), 'utf8')).toMatch(/^openapi: 3\.1\.\d+$/m)
})
