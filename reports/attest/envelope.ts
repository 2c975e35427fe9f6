import { createPublicKey, hash, type KeyObject, sign, verify } from 'node:crypto'
import { dsse } from '@sigstore/core'
import { z } from 'zod'

/** What the payload of every attestation is (DSSE and in-toto say so). */
export const PAYLOAD_TYPE = 'application/vnd.in-toto+json'

/** Each costs time to check, and nobody needs more than a few. */
const MOST_SIGNATURES = 10

/** A DSSE envelope: a payload, and signatures over it and its type. */
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

/** Signs a statement with an Ed25519 key. */
export function seal(statement: object, key: KeyObject): Envelope {
  const payload = Buffer.from(JSON.stringify(statement))
  const signature = sign(null, dsse.preAuthEncoding(PAYLOAD_TYPE, payload), key)
  return {
    payloadType: PAYLOAD_TYPE,
    payload: payload.toString('base64'),
    signatures: [{ keyid: keyId(createPublicKey(key)), sig: signature.toString('base64') }],
  }
}

/** Returns the payload of an envelope; `undefined` where none of its signatures was made with that key. */
export function open({ payloadType, payload, signatures }: Envelope, key: KeyObject): Buffer | undefined {
  const bytes = bytesIn(payload)
  if (bytes === undefined) return undefined
  const signed = dsse.preAuthEncoding(payloadType, bytes)
  // A key id is a hint that nobody signed: every signature is tried.
  const fits = signatures.some(({ sig }) => {
    const signature = bytesIn(sig)
    return signature !== undefined && verify(null, signed, key, signature)
  })
  return fits ? bytes : undefined
}

/** Decodes base64, standard or URL-safe, exactly as encoders write it: Node passes over what does not belong. */
function bytesIn(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64')
  const standard = bytes.toString('base64')
  const forms = [standard, standard.replaceAll('+', '-').replaceAll('/', '_'), bytes.toString('base64url')]
  return forms.includes(text) ? bytes : undefined
}

/** Names a public key: the SHA-256 of its SPKI form, in hexadecimal. */
export const keyId = (key: KeyObject): string => hash('sha256', key.export({ type: 'spki', format: 'der' }))
