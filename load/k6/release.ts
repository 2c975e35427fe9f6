/** The oldest k6 that is accepted, wherever it comes from: scenarios need a k6 of the second generation. */
export const MINIMUM_K6 = '2.0.0'

/** Set for every k6 that is started, so that it reports to nobody and fetches nothing by itself. */
export const K6_ENVIRONMENT = { K6_NO_USAGE_REPORT: 'true', K6_AUTO_EXTENSION_RESOLUTION: 'false' } as const

/** An official archive, as its release lists it. */
export interface Archive {
  file: string
  /** SHA-256 of the file, in hexadecimal. */
  sha256: string
}

/** A version that Go can build, and the oldest Go that can. */
export interface Source {
  version: string
  go: string
}

/** The release that is fetched where there is no k6. */
export interface Release {
  version: string
  /** The address of the archives, without their names. */
  address: string
  /** By platform, as the release names platforms. What has no hash here is never downloaded. */
  archives: Readonly<Record<string, Archive>>
  /** In the order in which they are tried: module proxies do not serve every version. */
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

/** This machine, as releases of k6 name it. */
export const PLATFORM = `${SYSTEMS[process.platform] ?? process.platform}-${MACHINES[process.arch] ?? process.arch}`

/** The file name of the program. */
export const K6_FILE = process.platform === 'win32' ? 'k6.exe' : 'k6'
