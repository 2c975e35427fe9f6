import { LARGEST, readFileOf } from '../../../fixtures/ground/read-file.ts'
import { commandLine } from '../../../fixtures/output/command-line.ts'
import { print, printJson, say } from '../../../fixtures/output/console.ts'
import { EXIT, type ExitCode, wrongCall } from '../../../fixtures/run/failure.ts'
import { readPublicKey } from '../../../reports/attest/keys.ts'
import { NotVerified, verifiedText, verify as verifyText } from '../../../reports/attest/verify.ts'
import { folderNamed } from '../../../reports/folder/write.ts'

/** Checks an attestation offline, and prints what it proves. */
export async function verify(
  file: string,
  { key, run, json = false }: { key: string; run?: string; json?: boolean },
): Promise<ExitCode> {
  const publicKey = readPublicKey(key)
  const text = readFileOf(file, LARGEST.small, (code, cause) =>
    wrongCall(`${file} could not be read (${code}): name the file that ${commandLine('attest')} wrote.`, {
      cause,
    }),
  )
  try {
    const verified = await verifyText(text, publicKey, run && folderNamed(run))
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
