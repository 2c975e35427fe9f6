import { generateKeyPairSync } from 'node:crypto'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../fixtures/client/testing/client.ts'
import { makeKeys, readPrivateKey, readPublicKey } from './keys.ts'

test('the private key is readable by its owner only, and never overwritten', () => {
  const file = join(temporaryFolder(), 'own.pem')
  const publicFile = makeKeys(file)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readPrivateKey(file).asymmetricKeyType).toBe('ed25519')
  expect(readPublicKey(publicFile).type).toBe('public')
  const secret = `${file}.secret`
  writeFileSync(secret, readFileSync(file, 'utf8').replaceAll('\n', '\\n'))
  expect(readPrivateKey(secret)).toEqual(readPrivateKey(file))
  expect(() => makeKeys(file)).toThrow(`${file} exists, and keys are never overwritten`)
})

test('a private key is refused in place of a public one, and no message contains a part of it', () => {
  const dir = temporaryFolder()
  const file = join(dir, 'own.pem')
  const publicFile = makeKeys(file)
  expect(() => readPublicKey(file)).toThrow(
    `${file} holds a private key, and the public one of the pair is needed: name`,
  )
  expect(() => readPrivateKey(publicFile)).toThrow(`${publicFile} holds a public key, and the private one`)
  const torn = join(dir, 'torn.pem')
  const text = readFileSync(file, 'utf8')
  writeFileSync(torn, text.slice(0, 60))
  expect(() => readPrivateKey(torn)).toThrow(
    expect.objectContaining({ message: expect.not.stringContaining(text.slice(30, 50)) }),
  )
  expect(() => readPrivateKey(join(dir, 'none.pem'))).toThrow('could not be read (ENOENT)')
})

test('another kind of key is refused', () => {
  const file = join(temporaryFolder(), 'rsa.pem')
  const { privateKey: rsa } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  writeFileSync(file, rsa.export({ type: 'pkcs8', format: 'pem' }))
  expect(() => readPrivateKey(file)).toThrow('a key of type rsa, and Ed25519 is needed')
})
