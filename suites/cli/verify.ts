import { commandLine } from '../../fixtures/output/command-line.ts'
import { print, printJson, say } from '../../fixtures/output/console.ts'
import { LARGEST, readFileOf } from '../../fixtures/read-file.ts'
import { EXIT, type ExitCode, wrongCall } from '../../fixtures/run/failure.ts'
import { readPublicKey } from '../../reports/attest/keys.ts'
import { NotVerified, verifiedText, verify as verifyText } from '../../reports/attest/verify.ts'

/** Options of `travel-sales verify`, as they were given. */
export interface VerifyOptions {
  /** File of the public key. */
  key: string
  /** Folder of the run. */
  run?: string
  json?: boolean
}

/** Checks an attestation offline, and says what it proves. */
export async function verify(file: string, { key, run, json = false }: VerifyOptions): Promise<ExitCode> {
  const publicKey = readPublicKey(key)
  const text = readFileOf(file, LARGEST.small, (code, cause) =>
    wrongCall(`${file} could not be read (${code}): name the file that ${commandLine('attest')} wrote.`, {
      cause,
    }),
  )
  try {
    const verified = await verifyText(text, publicKey, run)
    if (json) printJson({ verified: true, ...verified })
    else print(verifiedText(verified))
    return EXIT.conforms
  } catch (error) {
    if (!(error instanceof NotVerified)) throw error
    if (json) printJson({ verified: false, reason: error.message })
    say(`travel-sales: NOT VERIFIED  ${error.message}`)
    return EXIT.violates
  }
}
