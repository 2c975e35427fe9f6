import { createPublicKey, hash, type KeyObject, sign, verify } from 'node:crypto'
import { z } from 'zod'

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
