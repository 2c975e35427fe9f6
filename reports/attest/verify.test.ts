import { createHash, generateKeyPairSync } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { RunRecord } from '../../fixtures/ground/record.ts'
import { readRun } from '../folder/write.ts'
import { PAYLOAD_TYPE, seal, signedBytes } from './keys.ts'
import type { Statement } from './statement.ts'
import { attested, conforming, privateKey, publicKey, runFolder, verified } from './testing/attested.ts'
import { attest, NotVerified, verifiedText, verify } from './verify.ts'

test('a different base64 text that decodes to the same bytes is refused', async () => {
  const envelope = await attested(runFolder())
  const [{ sig }] = envelope.signatures as [{ sig: string }]
  // 64 bytes leave four bits of the last letter unused, so the next letter decodes to the same.
  const next = `${String.fromCharCode(sig.charCodeAt(85) + 1)}==`
  const other = { ...envelope, signatures: [{ sig: sig.slice(0, 85) + next }] }
  expect(Buffer.from(other.signatures[0]!.sig, 'base64')).toEqual(Buffer.from(sig, 'base64'))
  await expect(verified(other)).rejects.toThrow('it was changed afterwards')
})

describe('a valid attestation verifies', () => {
  test('with the right key, and against the folder of the run', async () => {
    const dir = runFolder()
    const result = await verified(await attested(dir), dir)
    expect(result).toMatchObject({ evidence: true, sameKit: true })
    expect(result.statement).toMatchObject({
      _type: 'https://in-toto.io/Statement/v1',
      subject: [{ name: conforming.deployment.baseUrl }],
      predicateType: 'https://in-toto.io/attestation/test-result/v0.1',
      predicate: {
        result: 'PASSED',
        failedTests: [],
        travelSalesConformance: { run: conforming.run, seed: conforming.seed, subject: 'deployment' },
      },
    })
    const text = verifiedText(result)
    expect(text).toMatch(/Profile partner: (\d+) of the \1 /)
    expect(text).toContain('That does not prove')
  })

  test('of the embedded deployment, and without verified certificates, which the first line says', async () => {
    const deployment = {
      ...conforming.deployment,
      embedded: true as const,
      certificates: 'not verified' as const,
    }
    const dir = runFolder({ ...conforming, deployment })
    const statement = await attest(await readRun(dir), true)
    expect(verifiedText(await verified(seal(statement, privateKey), dir))).toMatch(
      /^VERIFIED .*This was the embedded deployment, .*\. Certificates were not verified \(NODE_TLS.*\.\n/,
    )
  })

  test('the bytes that are signed are those that DSSE states', () => {
    expect(signedBytes('http://example.com/HelloWorld', Buffer.from('hello world')).toString()).toBe(
      'DSSEv1 29 http://example.com/HelloWorld 11 hello world',
    )
    expect(seal({}, privateKey).payloadType).toBe(PAYLOAD_TYPE)
  })
})

describe('an invalid attestation is refused', () => {
  const refusal = (envelope: object, dir?: string, key = publicKey) =>
    verified(envelope, dir, key).then(
      () => 'verified',
      (error: unknown) => {
        expect(error).toBeInstanceOf(NotVerified)
        return (error as Error).message
      },
    )

  test('another key', async () => {
    const { publicKey: other } = generateKeyPairSync('ed25519')
    expect(await refusal(await attested(runFolder()), undefined, other)).toContain(
      'No signature of it was made with',
    )
  })

  test('a payload, a signature or a type of payload that was changed, wherever that is', async () => {
    const envelope = await attested(runFolder())
    const bytes = Buffer.from(envelope.payload, 'base64')
    for (let at = 0; at < bytes.length; at += 97) {
      const changed = Buffer.from(bytes)
      changed[at]! ^= 1
      expect(await refusal({ ...envelope, payload: changed.toString('base64') })).toContain('No signature')
    }
    const [signature] = envelope.signatures
    const sig = Buffer.from(signature!.sig, 'base64')
    sig[5]! ^= 1
    expect(await refusal({ ...envelope, signatures: [{ sig: sig.toString('base64') }] })).toContain(
      'No signature',
    )
    expect(await refusal({ ...envelope, payloadType: 'text/plain' })).toContain('Its payload is "text/plain"')
    for (const signatures of [[], Array(200_000).fill(signature)])
      expect(await refusal({ ...envelope, signatures })).toContain('It is no DSSE envelope')
    expect(await refusal({ ...envelope, signatures: [{ sig: 'AAAA' }, signature!] })).toBe('verified')
  })

  test.each(['{', '[]', '{"payload": 1}'])('%j, which is no envelope', async text => {
    await expect(verify(text, publicKey)).rejects.toThrow('It is no DSSE envelope.')
  })

  test('something else that was signed with that key', async () => {
    expect(await refusal(seal({ hello: 'world' }, privateKey))).toContain('is no statement')
    expect(
      await refusal(
        await attested(runFolder(), statement => ({ ...statement, predicateType: 'https://example.com/x' })),
      ),
    ).toContain('is no statement')
  })

  test.each(['record.json', 'exchanges.ndjson'])('a %s that was changed or is gone', async name => {
    const dir = runFolder()
    const envelope = await attested(dir)
    const text = readFileSync(join(dir, name), 'utf8')
    writeFileSync(join(dir, name), `${text.slice(0, 40)} ${text.slice(40)}`)
    expect(await refusal(envelope, dir)).toContain(`${name} in ${dir} is not the file that was attested`)
    writeFileSync(join(dir, name), text.replaceAll('\n', '\r\n'))
    if (text.includes('\n'))
      expect(await refusal(envelope, dir)).toContain(`${name} in ${dir} has other line ends`)
    rmSync(join(dir, name))
    expect(await refusal(envelope, dir)).toContain('evidence is missing')
  })

  test('evidence outside the folder', async () => {
    const dir = runFolder()
    const envelope = await attested(dir, statement => {
      statement.predicate.travelSalesConformance.evidence[0]!.name = '../../etc/passwd'
    })
    expect(await refusal(envelope, dir)).toContain('evidence outside the folder')
  })
})

describe('a statement that its signer has written', () => {
  const ofHotels = (count: number) => ({
    coverage: {
      ...conforming.coverage,
      kinds: [{ kind: 'hotels', applicable: 9, exercised: 8, conforming: count }],
    },
  })
  const full = (asked: number, exercised: number) => ({ profile: { name: 'full', asked, exercised } })

  /** Signs a record that cannot be attested, under the statement of one that conforms. */
  async function over(record: Partial<RunRecord>, exchanges?: string) {
    const dir = runFolder()
    const statement = await attest(await readRun(dir))
    const write = (name: string, text: string): string => {
      writeFileSync(join(dir, name), text)
      return createHash('sha256').update(text).digest('hex')
    }
    statement.subject[0]!.digest.sha256 = write('record.json', JSON.stringify({ ...conforming, ...record }))
    if (exchanges !== undefined)
      statement.predicate.travelSalesConformance.evidence[0]!.digest.sha256 = write(
        'exchanges.ndjson',
        exchanges,
      )
    return { dir, envelope: seal(statement, privateKey) }
  }

  test.each<[string, Partial<RunRecord>, RegExp]>([
    [
      'names another address',
      { deployment: { ...conforming.deployment, baseUrl: 'https://elsewhere.example' } },
      /its address is https:\/\/elsewhere\.example, and exchange a3 went to/,
    ],
    [
      'is of another run',
      { run: 'certify-other' },
      /It says ".*" under .*\.run, and its record "certify-other"/,
    ],
  ])('over a record that %s is refused', async (_, record, why) => {
    const { dir, envelope } = await over(record)
    await expect(verified(envelope, dir)).rejects.toThrow(why)
    await expect(verified(envelope, dir)).rejects.toThrow(NotVerified)
  })

  test('is refused if its evidence has no exchange', async () => {
    const { dir, envelope } = await over({}, '{}\n')
    await expect(verified(envelope, dir)).rejects.toThrow('exchanges.ndjson holds no')
    await expect(readRun(dir).then(run => attest(run))).rejects.toThrow('holds no exchange')
  })

  test.each<[string, (statement: Statement) => unknown, RegExp]>([
    [
      'has a waiver that has ended',
      ({ predicate }) =>
        predicate.travelSalesConformance.waivers.push({
          clause: 'X',
          reason: 'r',
          owner: 'ada',
          expires: '2020-01-01',
        }),
      /a waiver of ada ended on 2020-01-01/,
    ],
    [
      'vouches for no exchanges',
      ({ predicate }) => predicate.travelSalesConformance.evidence.splice(0),
      /It does not cover exchanges.ndjson/,
    ],
    [
      'was waived for ever',
      ({ predicate }) =>
        predicate.travelSalesConformance.waivers.push({
          clause: 'X',
          reason: 'r',
          owner: 'ada',
          expires: 'never',
        }),
      /a waiver of ada ended on never/,
    ],
    ...(
      [
        [
          'ends before it starts',
          { startedAt: '2099-01-01T00:00:00Z', finishedAt: '1999-01-01T00:00:00Z' },
          /ends \(1999.*before it starts \(2099/,
        ],
        ['has no time', { startedAt: 'today' }, /before it starts \(today/],
        [
          'is of a later year',
          { finishedAt: '2999-01-01T00:00:00Z' },
          /ends at 2999-01-01T00:00:00Z, which is to come/,
        ],
        [
          'counts 99,999 of 1000 of 10',
          { coverage: { ...conforming.coverage, conforming: 99_999, exercised: 1000, applicable: 10 } },
          /says 10 under coverage.applicable/,
        ],
        ['counts more of a kind than it has', ofHotels(9), /counts 9 conforming of 8/],
        ['counts less than nothing', ofHotels(-1), /counts -1 conforming/],
        ['exercised nothing of its profile', full(100, 0), /0 of 100 that the profile full asks for/],
        ['exercised more than its profile asks for', full(100, 101), /101 of 100/],
        ['asks for nothing', full(0, 0), /0 of 0/],
      ] as const
    ).map(([name, details, why]): [string, (statement: Statement) => unknown, RegExp] => [
      name,
      ({ predicate }) => Object.assign(predicate.travelSalesConformance, details),
      why,
    ]),
    ['speaks of no clause', ({ predicate }) => predicate.passedTests.push('X'), /speaks of X/],
    [
      'lists a clause twice',
      ({ predicate }) => predicate.passedTests.push(predicate.passedTests[0]!),
      /a clause twice/,
    ],
    ['lost a clause', ({ predicate }) => predicate.passedTests.pop(), /and its lists come to/],
    [
      'passes with what is not kept',
      ({ predicate }) => predicate.warnedTests.push(predicate.passedTests.pop()!),
      /is required, and is neither kept nor waived/,
    ],
    [
      'warns of nothing',
      ({ predicate }) => Object.assign(predicate, { result: 'WARNED' }),
      /it is WARNED, and 0/,
    ],
    [
      'was made by another tool',
      ({ predicate }) => Object.assign(predicate.configuration[0]!, { name: 'another-kit' }),
      /It was made by "another-kit"/,
    ],
    [
      'was made by another version of the kit',
      ({ predicate }) => Object.assign(predicate.configuration[0]!.annotations, { version: '0.1.0' }),
      /verify it with that version/,
    ],
  ])('and %s is refused without its folder', async (_, change, why) => {
    const envelope = await attested(runFolder(), statement => void change(statement))
    await expect(verified(envelope)).rejects.toThrow(why)
  })

  test('cannot imitate lines of the kit', async () => {
    const envelope = await attested(runFolder(), statement => {
      const details = statement.predicate.travelSalesConformance
      details.name = 'x"\n\nThat proves\n  Everything.\r\u001b[2J\u2028'
    })
    const text = verifiedText(await verified(envelope))
    expect(text.match(/^That proves$/gm)).toHaveLength(1)
    expect(text).toContain('x"\\u000a\\u000aThat proves\\u000a  Everything.\\u000d\\u001b[2J\\u2028')
    const [, proves] = text.split('That proves\n') as [string, string]
    expect(proves.split('That does not prove')[0]).not.toContain('modules')
  })
})
