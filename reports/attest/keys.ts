import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  hash,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto'
import { rmSync } from 'node:fs'
import { z } from 'zod'
import { LARGEST, pemIn, readBytesOf } from '../../fixtures/ground/read-file.ts'
import { commandLine } from '../../fixtures/output/command-line.ts'
import { writePrivateKey, writePublicKey } from '../../fixtures/output/keys.ts'
import { wrongCall } from '../../fixtures/run/failure.ts'

/** The payload type of every attestation, as DSSE and in-toto define it. */
export const PAYLOAD_TYPE = 'application/vnd.in-toto+json'

/** The maximum number of signatures, since each takes time to verify. */
const MOST_SIGNATURES = 10

/** A DSSE envelope: a payload with its type, and signatures of both. */
export const envelopeSchema = z.looseObject({
  payloadType: z.string(),
  payload: z.base64(),
  signatures: z
    .array(z.looseObject({ keyid: z.string().optional(), sig: z.base64() }))
    .min(1)
    .max(MOST_SIGNATURES),
})
/** A DSSE envelope. */
export type Envelope = z.infer<typeof envelopeSchema>

/** Returns the bytes that are signed: the pre-authentication encoding of DSSE. */
export const signedBytes = (type: string, payload: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`DSSEv1 ${Buffer.byteLength(type)} ${type} ${payload.length} `), payload])

/** Signs a statement with an Ed25519 key. */
export function seal(statement: object, key: KeyObject): Envelope {
  const payload = Buffer.from(JSON.stringify(statement))
  const signature = sign(null, signedBytes(PAYLOAD_TYPE, payload), key)
  return {
    payloadType: PAYLOAD_TYPE,
    payload: payload.toString('base64'),
    signatures: [{ keyid: keyId(createPublicKey(key)), sig: signature.toString('base64') }],
  }
}

/** Returns the payload of an envelope, or `undefined` if no signature was made with that key. */
export function open({ payloadType, payload, signatures }: Envelope, key: KeyObject): Buffer | undefined {
  const bytes = bytesIn(payload)
  if (bytes === undefined) return undefined
  const signed = signedBytes(payloadType, bytes)
  // A key id is an unsigned hint, so every signature is tried.
  const fits = signatures.some(({ sig }) => {
    const signature = bytesIn(sig)
    return signature !== undefined && verify(null, signed, key, signature)
  })
  return fits ? bytes : undefined
}

/** Decodes base64, standard or URL-safe, strictly: Node ignores invalid characters. */
function bytesIn(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64')
  const standard = bytes.toString('base64')
  const forms = [standard, standard.replaceAll('+', '-').replaceAll('/', '_'), bytes.toString('base64url')]
  return forms.includes(text) ? bytes : undefined
}

/** Returns the id of a public key: the SHA-256 of its SPKI form, in hexadecimal. */
export const keyId = (key: KeyObject): string => hash('sha256', key.export({ type: 'spki', format: 'der' }))

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
