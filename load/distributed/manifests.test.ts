import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { K6_ENVIRONMENT } from '../k6/index.ts'
import { ENV } from '../plan/plan.ts'
import { RAW, samplesTo } from '../run/k6-process.ts'

/** Returns every document of a file, with scalars as written, so that numbers that must be text are visible. */
const readManifests = (file: string) =>
  parseAllDocuments(readFileSync(join(import.meta.dirname, file), 'utf8'), {
    schema: 'failsafe',
    strict: true,
  }).map(document => {
    if (document.errors.length > 0) throw document.errors[0]
    return document.toJS()
  })

const [testRun] = readManifests('testrun.yaml')
const [claim, pod] = readManifests('results.yaml')
const [secret] = readManifests('secret.example.yaml')
const { runner, starter } = testRun.spec

test('credentials come from the Secret alone, under the variable that scenarios read', () => {
  const { name } = secret.metadata
  expect(Object.keys(secret.stringData)).toEqual([ENV.tokens])
  expect(runner.envFrom).toEqual([{ secretRef: { name } }])
  expect(testRun.spec.initializer.disabled).toBe('true')
  for (const one of runner.env) expect(Object.values(ENV)).not.toContain(one.name)
})

test('each runner writes what merge reads into a folder of its own, on a volume that can be fetched', () => {
  const [{ mountPath, subPathExpr }] = runner.volumeMounts
  expect(subPathExpr).toBe('$(POD_NAME)')
  const options = ['--out', 'csv', '--out', 'opentelemetry', '--console-output']
  const log = `${mountPath}/${RAW.answers}`
  expect(testRun.spec.args).toEqual([...options, log, '--log-format', 'raw'])
  const written = Object.entries(samplesTo(`${mountPath}/${RAW.samples}`))
  for (const [name, value] of [...written, ...Object.entries(K6_ENVIRONMENT)])
    expect(runner.env).toContainEqual({ name, value })
  expect(claim.spec.accessModes).toEqual(['ReadWriteMany'])
  const volume = { name: 'results', persistentVolumeClaim: { claimName: claim.metadata.name } }
  expect([runner.volumes, pod.spec.volumes]).toEqual([[volume], [volume]])
  expect(pod.spec.containers[0].image).toBe(runner.image)
})

test('no pod has rights that it does not need', () => {
  for (const { securityContext } of [runner, starter, pod.spec])
    expect(securityContext).toMatchObject({
      runAsNonRoot: 'true',
      seccompProfile: { type: 'RuntimeDefault' },
    })
  for (const one of [
    runner.containerSecurityContext,
    starter.containerSecurityContext,
    pod.spec.containers[0].securityContext,
  ])
    expect(one).toMatchObject({ allowPrivilegeEscalation: 'false', capabilities: { drop: ['ALL'] } })
})
