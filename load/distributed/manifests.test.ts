import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { K6_ENVIRONMENT } from '../k6/index.ts'
import { RELEASE } from '../k6/release.ts'
import { ENV } from '../plan/plan.ts'
import { RAW, samplesTo } from '../run/k6-process.ts'

type Node = string | Node[] | { [key: string]: Node }

/** Returns every document of a file, with scalars as written, so that numbers that must be text are visible. */
const readManifests = (file: string): Node[] =>
  parseAllDocuments(readFileSync(join(import.meta.dirname, file), 'utf8'), {
    schema: 'failsafe',
    strict: true,
  }).map(document => {
    if (document.errors.length > 0) throw document.errors[0]
    return document.toJS() as Node
  })

/** Returns the value at a path of keys and indexes. */
function at(node: Node, path: string): Node | undefined {
  return path
    .split('.')
    .reduce<Node | undefined>((inner, key) => (inner as Record<string, Node> | undefined)?.[key], node)
}

const [testRun] = readManifests('testrun.yaml') as [Node]
const [claim, pod] = readManifests('results.yaml') as [Node, Node]
const [secret] = readManifests('secret.example.yaml') as [Node]
const guide = readFileSync(join(import.meta.dirname, 'README.md'), 'utf8')

const keysAt = (path: string): string[] => Object.keys(at(testRun, path) as object)

describe('the test run', () => {
  test('has only fields that the operator knows', () => {
    expect([at(testRun, 'apiVersion'), at(testRun, 'kind')]).toEqual(['k6.io/v1alpha1', 'TestRun'])
    const spec = ['parallelism', 'separate', 'script', 'args', 'initializer', 'starter', 'runner']
    expect(keysAt('spec')).toEqual(spec)
    const knownOfPods = new Set([
      ...['disabled', 'image', 'automountServiceAccountToken', 'env', 'envFrom', 'resources'],
      ...['securityContext', 'containerSecurityContext', 'volumes', 'volumeMounts'],
    ])
    for (const each of ['initializer', 'starter', 'runner'])
      expect(keysAt(`spec.${each}`).filter(key => !knownOfPods.has(key))).toEqual([])
  })

  test('runs the archive of the guide', () => {
    expect(at(testRun, 'spec.script.configMap')).toEqual({ name: 'tss-archive', file: 'archive.tar' })
    expect(guide).toContain('kubectl create configmap tss-archive --from-file=archive.tar=')
  })

  test('uses the pinned k6 version of the kit', () => {
    const image = `grafana/k6:${RELEASE.version.replace(/^v/, '')}`
    expect(at(testRun, 'spec.runner.image')).toBe(image)
    expect(at(pod, 'spec.containers.0.image')).toBe(image)
  })

  test('takes credentials only from the Secret, never from process arguments', () => {
    const name = at(secret, 'metadata.name')
    expect(at(testRun, 'spec.runner.envFrom')).toEqual([{ secretRef: { name } }])
    expect(at(testRun, 'spec.initializer.disabled')).toBe('true')
    const variables = (at(testRun, 'spec.runner.env') as Node[]).map(variable => at(variable, 'name'))
    for (const secretOne of Object.values(ENV)) expect(variables).not.toContain(secretOne)
    expect(JSON.stringify(at(testRun, 'spec.args'))).not.toMatch(/TSS_|-e\b|--env/)
  })

  test('writes the files to merge into one folder per runner', () => {
    const mount = at(testRun, 'spec.runner.volumeMounts.0.mountPath')
    expect(at(testRun, 'spec.args')).toEqual([
      ...['--out', 'csv'],
      ...['--out', 'opentelemetry'],
      ...['--console-output', `${mount}/${RAW.answers}`],
      ...['--log-format', 'raw'],
    ])
    expect(at(testRun, 'spec.runner.volumeMounts.0.subPathExpr')).toBe('$(POD_NAME)')
    expect(at(testRun, 'spec.runner.env.0')).toEqual({
      name: 'POD_NAME',
      valueFrom: { fieldRef: { fieldPath: 'metadata.name' } },
    })
    expect(guide).toContain(`cp plans/journey-mix/journey-mix/plan.json ./results/${RAW.plan}`)
  })

  test('sends no telemetry and downloads nothing', () => {
    const variables = at(testRun, 'spec.runner.env') as Node[]
    for (const [name, value] of Object.entries({
      ...K6_ENVIRONMENT,
      ...samplesTo(`/results/${RAW.samples}`),
    }))
      expect(variables).toContainEqual({ name, value })
  })
})

test('results are on a volume that all runners and the fetching pod mount', () => {
  expect(at(claim, 'kind')).toBe('PersistentVolumeClaim')
  expect(at(claim, 'spec.accessModes')).toEqual(['ReadWriteMany'])
  const claimName = at(claim, 'metadata.name')
  const volumes = [at(testRun, 'spec.runner.volumes'), at(pod, 'spec.volumes')]
  expect(volumes).toEqual([0, 1].map(() => [{ name: 'results', persistentVolumeClaim: { claimName } }]))
  expect(guide).toContain(`kubectl cp ${at(pod, 'metadata.name')}:/results ./results`)
})

test.each([
  ['runner', () => at(testRun, 'spec.runner.securityContext'), () => at(testRun, 'spec.runner')],
  ['starter', () => at(testRun, 'spec.starter.securityContext'), () => at(testRun, 'spec.starter')],
  ['results', () => at(pod, 'spec.securityContext'), () => at(pod, 'spec.containers.0')],
])('the pod %s has no rights that it does not need', (_, ofPod, ofContainer) => {
  expect(ofPod()).toMatchObject({ runAsNonRoot: 'true', seccompProfile: { type: 'RuntimeDefault' } })
  const container = ofContainer()!
  expect(at(container, 'containerSecurityContext') ?? at(container, 'securityContext')).toMatchObject({
    allowPrivilegeEscalation: 'false',
    capabilities: { drop: ['ALL'] },
  })
})

test('the example Secret contains placeholders under the variable that scenarios read', () => {
  expect(at(secret, 'stringData')).toEqual({
    [ENV.tokens]: '<credential of the first sender>\n<credential of the second sender>\n',
  })
})
