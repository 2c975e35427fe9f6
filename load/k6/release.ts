/** The minimum version of k6, wherever it comes from. The scenarios need k6 2. */
export const MINIMUM_K6 = '2.0.0'

/** The environment of every k6: no telemetry, and no downloads of extensions. */
export const K6_ENVIRONMENT = { K6_NO_USAGE_REPORT: 'true', K6_AUTO_EXTENSION_RESOLUTION: 'false' } as const

/** A version that Go can build, and the minimum version of Go. */
export interface Source {
  version: string
  go: string
}

/** The release to build if no k6 is found. */
export interface Release {
  version: string
  /** The versions to build, in this order: module proxies do not have every version. */
  sources: readonly [Source, ...Source[]]
}

/** The release that the scenarios are written for. */
export const RELEASE: Release = {
  version: 'v2.3.0',
  sources: [
    { version: 'v2.3.0', go: '1.26.0' },
    { version: 'v2.2.0', go: '1.25.0' },
  ],
}

const SYSTEMS: Record<string, string> = { darwin: 'macos', win32: 'windows' }
const MACHINES: Record<string, string> = { x64: 'amd64', ia32: '386' }

/** The platform of this machine, in the names of k6 releases. */
export const PLATFORM = `${SYSTEMS[process.platform] ?? process.platform}-${MACHINES[process.arch] ?? process.arch}`

/** The file name of the program. */
export const K6_FILE = process.platform === 'win32' ? 'k6.exe' : 'k6'
