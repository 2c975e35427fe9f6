import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const ROOT = new URL('../../', import.meta.url)

interface Locked {
  readonly license?: string
  readonly integrity?: string
  readonly resolved?: string
  readonly link?: boolean
  readonly dev?: boolean
  readonly hasInstallScript?: boolean
}

interface Manifest {
  readonly license?: string
  readonly scripts?: Readonly<Record<string, string>>
}

const read = (path: string) => JSON.parse(readFileSync(new URL(path, ROOT), 'utf8'))

/** Every package of the lock file, by path. */
const locked = Object.entries<Locked>(read('package-lock.json').packages)

/** Packages from a registry, without the repository and its folders. */
const fetched = locked.filter(([path, { link }]) => path.includes('node_modules/') && !link)

const manifest = (path: string): Manifest | undefined =>
  existsSync(new URL(`${path}/package.json`, ROOT)) ? read(`${path}/package.json`) : undefined

test('nothing runs while packages are installed: a script could fetch what the lock file does not pin', () => {
  const scripts = ({ scripts = {} }: Manifest) =>
    ['preinstall', 'install', 'postinstall'].filter(name => scripts[name] !== undefined)
  const running = fetched.filter(
    ([path, { hasInstallScript }]) =>
      hasInstallScript ||
      scripts(manifest(path) ?? {}).length > 0 ||
      existsSync(new URL(`${path}/binding.gyp`, ROOT)),
  )
  expect(fetched.length).toBeGreaterThan(100)
  expect(running.map(([path]) => path)).toEqual([])
  expect(read('package.json').allowScripts).toBeUndefined()
})

test('the lock file pins every package by its contents, and names no registry', () => {
  expect(fetched.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'))).toEqual([])
  // A link points to a folder of the repository.
  const elsewhere = locked.filter(
    ([, { resolved, link }]) => resolved !== undefined && !(link && existsSync(new URL(resolved, ROOT))),
  )
  expect(elsewhere).toEqual([])
})

test('what a dependency needs beside it is declared: not every package manager installs peers by itself', () => {
  const { dependencies } = read('package.json')
  const needed = Object.keys(dependencies).flatMap(name => {
    const { peerDependencies = {}, peerDependenciesMeta = {} } = read(`node_modules/${name}/package.json`)
    return Object.keys(peerDependencies).filter(peer => peerDependenciesMeta[peer]?.optional !== true)
  })
  expect(needed).toContain('vite')
  expect(needed.filter(peer => !(peer in dependencies))).toEqual([])
})

test('the Node of the repository is pinned for each kind of machine, and is no dependency of the package', () => {
  const project = read('.ci/node/package.json')
  const finder = readFileSync(fileURLToPath(new URL('.ci/node/hand-over.js', ROOT)), 'utf8')
  for (const name of Object.keys(project.optionalDependencies)) {
    expect(locked.map(([path]) => path)).toContain(`node_modules/${name}`)
    expect(finder).toContain(`'${name}'`)
  }
  const { dependencies, optionalDependencies } = read('package.json')
  expect(Object.keys({ ...dependencies, ...optionalDependencies })).not.toContain('project-node')
})

const PERMISSIVE = ['MIT', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', '0BSD']

/** Other licences that were reviewed and accepted, by package, with the reason. */
const REVIEWED: Readonly<Record<string, { license: string | undefined; because: string }>> = {
  lightningcss: {
    license: 'MPL-2.0',
    because: 'the bundler of vitest uses it unchanged; its copyleft covers only its own files',
  },
  'png-js': { license: undefined, because: 'its LICENSE file is MIT; its package.json names none' },
}

test('every package that comes with the kit has a licence that lets anybody use the kit', () => {
  const name = (path: string) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
  const reviewed = (path: string, license: string | undefined) =>
    Object.entries(REVIEWED).some(
      // Platform-specific builds are separate packages: lightningcss-linux-x64-gnu.
      ([known, its]) =>
        (name(path) === known || name(path).startsWith(`${known}-`)) && its.license === license,
    )
  const shipped = fetched.filter(([, { dev }]) => !dev)
  const license = ([path, lock]: [string, Locked]) => manifest(path)?.license ?? lock.license
  expect(shipped.length).toBeGreaterThan(50)
  expect(
    shipped
      .filter(entry => !PERMISSIVE.includes(license(entry) ?? '') && !reviewed(entry[0], license(entry)))
      .map(entry => `${name(entry[0])}: ${license(entry)}`),
  ).toEqual([])
  expect(readFileSync(new URL('node_modules/png-js/LICENSE', ROOT), 'utf8')).toMatch(/^MIT License/)
})
