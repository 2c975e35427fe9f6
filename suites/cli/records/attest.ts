import { join, relative } from 'node:path'
import { commandLine } from '../../../fixtures/output/command-line.ts'
import { print } from '../../../fixtures/output/console.ts'
import { writeJsonNow } from '../../../fixtures/output/files.ts'
import { EXIT, type ExitCode, incomplete, wrongCall } from '../../../fixtures/run/failure.ts'
import { keyId, makeKeys, readPrivateKey, readPublicKey, seal } from '../../../reports/attest/keys.ts'
import { attest as statementOf } from '../../../reports/attest/verify.ts'
import { openRun } from '../../../reports/folder/write.ts'

/** The name of the file in a run's folder. */
const ATTESTATION = 'attestation.json'

/** Signs the record of a run, or makes a key to sign with. */
export async function attest(
  run: string | undefined,
  { key, newKey, to, embedded }: { key?: string; newKey?: string; to?: string; embedded?: boolean },
): Promise<ExitCode> {
  if (newKey !== undefined) return newKeys(newKey)
  if (key === undefined)
    throw wrongCall('Nothing was signed: give the private key with --key, or make one with --new-key <file>.')
  const privateKey = readPrivateKey(key)
  const stored = await openRun(run)
  if (stored === undefined) throw wrongCall('There is no run under reports/out yet: name the folder of one.')
  const envelope = seal(await statementOf(stored, embedded), privateKey)
  const file = to ?? join(stored.dir, ATTESTATION)
  try {
    writeJsonNow(file, envelope)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw incomplete(`${file} could not be written (${code}): give another file with --to.`, { cause: error })
  }
  print(
    `Run ${stored.record.run} is attested in ${relative(process.cwd(), file)}, signed with the key ${envelope.signatures[0]!.keyid}.\nHand over that file, the public key and, for its evidence, the folder of the run: ${commandLine('verify')} holds them against each other.\n`,
  )
  return EXIT.conforms
}

function newKeys(file: string): ExitCode {
  const publicFile = makeKeys(file)
  print(
    `The private key is in ${file}: keep it to yourself, and out of repositories. The public key, ${keyId(readPublicKey(publicFile))}, is in ${publicFile}.\n`,
  )
  return EXIT.conforms
}
