/** The minimum version of k6, wherever it comes from. The scenarios need k6 2. */
export const MINIMUM_K6 = '2.0.0'

/** The environment of every k6: no telemetry, and no downloads of extensions. */
export const K6_ENVIRONMENT = { K6_NO_USAGE_REPORT: 'true', K6_AUTO_EXTENSION_RESOLUTION: 'false' } as const

/** An official archive. */
export interface Archive {
  file: string
  /** SHA-256 of the file, in hexadecimal. */
  sha256: string
}

/** A version that Go can build, and the minimum version of Go. */
export interface Source {
  version: string
  go: string
}

/** The release to fetch if no k6 is found. */
export interface Release {
  version: string
  /** The address of the archives, without their names. */
  address: string
  /** By platform, in the names of the release. Only archives with a hash are downloaded. */
  archives: Readonly<Record<string, Archive>>
  /** The versions to build, in this order: module proxies do not have every version. */
  sources: readonly [Source, ...Source[]]
}

/** The release that the scenarios are written for. */
export const RELEASE: Release = {
  version: 'v2.3.0',
  address: 'https://github.com/grafana/k6/releases/download/v2.3.0/',
  archives: {
    'linux-amd64': {
      file: 'k6-v2.3.0-linux-amd64.tar.gz',
      sha256: '39c3117b6af817592dcd0ce4242105c0a7af10948c2a425306f0be8f7a8a8ab1',
    },
    'linux-arm64': {
      file: 'k6-v2.3.0-linux-arm64.tar.gz',
      sha256: '5ca3433e8201da72a284aaa241a1bb5fb47f4abb4e384d39410ddd8062f49b90',
    },
    'macos-arm64': {
      file: 'k6-v2.3.0-macos-arm64.zip',
      sha256: 'b2417a3038edc5fe81dc178a889237724b595c5c9cfed875822008e46e862c7d',
    },
  },
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
