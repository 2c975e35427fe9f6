import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { rmSync } from 'node:fs'
import { pemIn } from '../../fixtures/ground/pem.ts'
import { LARGEST, readBytesOf } from '../../fixtures/ground/read-file.ts'
import { commandLine } from '../../fixtures/output/command-line.ts'
import { writePrivateKey, writePublicKey } from '../../fixtures/output/keys.ts'
import { wrongCall } from '../../fixtures/run/failure.ts'

/** Returns how to create a key. */
const makeOne = (): string => `${commandLine('attest', '--new-key', 'attest-key.pem')} makes one`

/** @throws {Failure} if the file has no Ed25519 private key; messages never contain its content */
export const readPrivateKey = (file: string): KeyObject =>
  ed25519(file, 'private', text => createPrivateKey(text))

/** @throws {Failure} if the file has no Ed25519 public key */
export const readPublicKey = (file: string): KeyObject =>
  ed25519(file, 'public', text => createPublicKey(text))

function ed25519(file: string, kind: 'private' | 'public', parse: (text: string) => KeyObject): KeyObject {
  const bytes = readBytesOf(file, LARGEST.small, (code, cause) =>
    wrongCall(`The ${kind} key ${file} could not be read (${code}): ${makeOne()}.`, { cause }),
  )
  const text = pemIn(bytes)
  let key: KeyObject | undefined
  try {
    key = parse(text)
  } catch {
    // The parser's message may contain a part of the key.
  }
  // Node derives a public key from a private one, but a private key must not be handed out.
  const other = kind === 'public' ? 'private' : 'public'
  if (text.includes(`${other.toUpperCase()} KEY`) && (key === undefined || kind === 'public'))
    throw wrongCall(
      `${file} holds a ${other} key, and the ${kind} one of the pair is needed: ${kind === 'public' ? 'name the file that ends in .pub.pem, and hand the private key to nobody' : 'name the file beside the one that ends in .pub.pem'}.`,
    )
  if (key === undefined) throw wrongCall(`${file} holds no ${kind} key in PEM form: ${makeOne()}.`)
  if (key.asymmetricKeyType !== 'ed25519') {
    throw wrongCall(
      `${file} holds a key of type ${key.asymmetricKeyType}, and Ed25519 is needed: ${makeOne()}.`,
    )
  }
  return key
}

/**
 * Creates a key pair: the private key in `file`, readable by its owner only, and the public one beside it.
 *
 * @returns the file of the public key
 * @throws {Failure} if a file exists already, or cannot be written
 */
export function makeKeys(file: string): string {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const publicFile = `${file.replace(/\.pem$/, '')}.pub.pem`
  try {
    writePrivateKey(file, privateKey)
    try {
      writePublicKey(publicFile, publicKey)
    } catch (error) {
      rmSync(file)
      throw error
    }
  } catch (error) {
    const { code, path } = error as NodeJS.ErrnoException
    throw wrongCall(
      code === 'EEXIST'
        ? `${path} exists, and keys are never overwritten: give another name, or move it away.`
        : `The keys could not be written to ${file} (${code}): give a place that can be written to.`,
      { cause: error },
    )
  }
  return publicFile
}
