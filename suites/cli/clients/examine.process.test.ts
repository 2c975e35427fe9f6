import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { needing, writeProgram } from '../../../fixtures/output/testing/program.ts'
import { everythingIn, onlyRun, runOf, verdictsOf } from '../testing/booked.ts'
import { freshFolder, runTss, startProve, startTss } from '../testing/command.ts'
import { commitSeed } from '../testing/commit-draw.ts'
import { examined } from '../testing/examined.ts'

test('the correct client conforms and shows every clause that a situation provokes', async () => {
  const cwd = freshFolder()
  const record = await examined(cwd)
  expect(record.clauses.filter(({ findings }) => findings.length > 0)).toEqual([])
  expect(record.verdict).toBe('conforms')
  expect(record.coverage.exercised).toBe(record.coverage.applicable)

  // What was recorded of it says the same.
  const audited = await runTss(['audit', join(cwd, 'exchanges.ndjson')], { cwd })
  expect(audited.stdout).toMatch(/^CONFORMS/)
  const recorded = verdictsOf(runOf(cwd, audited))
  expect(record.clauses.filter(({ id, verdict }) => verdict !== recorded.get(id))).toEqual([])
})

test('each deviant client that was drawn is found under its own clause, and nothing is found of benign ones', async () => {
  const { code, stdout } = await startProve(['--clients', '--sample', '--seed', String(commitSeed)]).ended
  expect(stdout).not.toMatch(/MISSED|False alarms/)
  expect(code).toBe(0)
})

const EXAMINE = ['examine', '--situation', 'normal-day', '--products', 'v2-transfers', '--exec']

test
  .skipIf(process.platform === 'win32')
  .each([
    ['sleep 600', 'all that it started'],
    ...(process.platform === 'linux' ? [['setsid sleep 600', 'what has left its process group']] : []),
  ])('Ctrl-C ends the client %s: %s', async started => {
  const cwd = freshFolder()
  const client = `trap '' TERM; ${started} & echo $! > started; wait; wait`
  const run = startTss([...EXAMINE, client], { cwd })
  const child = await vi.waitFor(
    () => Number(/^\d+\n/.exec(readFileSync(join(cwd, 'started'), 'utf8'))![0]),
    60_000,
  )
  run.send('SIGINT')
  expect((await run.ended).code).toBe(130)
  await vi.waitFor(() => expect(() => process.kill(child, 0)).toThrow('ESRCH'), 10_000)
})

needing('curl').skipIf(process.platform !== 'linux')(
  'what a client leaves running is ended, and what secrets of its own it sends are told nowhere',
  async () => {
    const cwd = freshFolder()
    const secrets = '?key=hunter2 -H "Authorization: Bearer live_hunter2" -H "Cookie: s=hunter2" -u a:hunter2'
    const client = `setsid sleep 600 & echo $! > started; curl -s $TSS_BASE_URL/api/v2/transfers/products${secrets}`
    const { stdout, stderr } = await runTss([...EXAMINE, client], { cwd })
    expect(stderr).toMatch(/^What the client had left running is ended\.$/m)
    const left = Number(readFileSync(join(cwd, 'started'), 'utf8'))
    await vi.waitFor(() => expect(() => process.kill(left, 0)).toThrow('ESRCH'), 10_000)
    expect(stdout).toMatch(/✗ AUTH-CLIENT-HEADER/)
    expect(everythingIn(onlyRun(cwd))).not.toMatch(/hunter2|YTpodW50ZXIy/)
  },
)

/** The smallest possible integration of a partner: curl in a shell script. */
const FLOW = `AUTH="Authorization: Bearer $TSS_TOKEN"; JSON='Content-Type: application/json'; API=$TSS_BASE_URL/api/v2
curl -s $API/transfers/products -H "$AUTH" > products.json
ID=$(grep -o '"product_id":[0-9]*' products.json | head -1 | cut -d: -f2)
curl -s $API/transfers/availability -H "$AUTH" -H "$JSON" -d "{\\"product_ids\\":[$ID],\\"from\\":\\"2027-03-01\\",\\"to\\":\\"2027-03-02\\",\\"pax\\":{\\"adult\\":2,\\"child\\":0,\\"infant\\":0}}" > found.json
OFFER=$(grep -o '"offer_id":"[^"]*"' found.json | head -1 | cut -d'"' -f4)
curl -s $API/bookings -H "$AUTH" -H "$JSON" -H "Idempotency-Key: $$-$TSS_SITUATION" -d "{\\"items\\":[{\\"offer_id\\":\\"$OFFER\\",\\"travelers\\":[{\\"first_name\\":\\"Ada\\",\\"last_name\\":\\"Example\\",\\"phone\\":\\"+34600000000\\",\\"nationality\\":\\"ES\\"}],\\"logistics\\":{\\"airport\\":\\"PMI\\",\\"airline\\":\\"XY\\",\\"flight_time\\":\\"12:30\\",\\"hotel\\":\\"Garden Lake\\"}}]}" > booking.json
ID=$(grep -o '"booking_id":[0-9]*' booking.json | cut -d: -f2)
curl -s $API/bookings/$ID/voucher -H "$AUTH" -o voucher.pdf
curl -s -X POST $API/bookings/$ID/cancel -H "$AUTH" > cancel.json
`

needing('curl')('a script with curl is examined, and is told what to mend', async () => {
  const cwd = freshFolder()
  writeProgram(join(cwd, 'flow.sh'), FLOW)
  const day = await runTss([...EXAMINE, './flow.sh'], { cwd })
  expect(day.stdout).toMatch(/^CONFORMS/m)
  const half = await runTss([...EXAMINE, './flow.sh; exit 3'], { cwd })
  expect(half.stdout).toMatch(/^INCOMPLETE.*In normal-day, the client did not finish/ms)
  expect(half.code).toBe(1)
  const examine = ['examine', '--products', 'v2-transfers', '--exec']
  const pending = await runTss([...examine, './flow.sh', '--situation', 'pending-then-failed'], { cwd })
  expect(pending.stdout).toMatch(/✗ V2-PENDING-CLIENT-READ-ON/)
  expect(pending.stdout).toMatch(/✗ V2-BOOK-CLIENT-202-PENDING/)
  expect(pending.code).toBe(1)
  const [, again] = / (examine --situation .*)$/m.exec(pending.stdout)!
  const seen = await runTss(again!.split(' '), { cwd })
  expect(seen.stdout).toMatch(/✗ V2-PENDING-CLIENT-READ-ON/)
  writeProgram(
    join(cwd, 'halts.sh'),
    FLOW.replace('\nID=', '\n[ $TSS_SITUATION = normal-day ] || exit 1\nID='),
  )
  const compared = await runTss([...examine, './halts.sh', '--situation', 'unknown-fields'], { cwd })
  expect(compared.stdout).toMatch(/✗ VERSION-CLIENT-UNKNOWN-FIELDS/)
  expect(compared.code).toBe(1)
})

needing('curl')(
  'Ctrl-C judges what was sent until then, also where a terminal and npm both pass it on',
  async () => {
    const client =
      'curl -so seen.json $TSS_BASE_URL/api/v2/transfers/products -H "Authorization: Token $TSS_TOKEN"; echo sent >&2; sleep 600'
    const running = startTss([...EXAMINE, client])
    await running.prints(/^sent$/m)
    running.send('SIGINT')
    setTimeout(() => running.send('SIGINT'), 50)
    const { code, stdout } = await running.ended
    expect(stdout).toMatch(/✗ AUTH-CLIENT-HEADER/)
    expect(stdout).toMatch(/it was interrupted/)
    expect(code).toBe(130)
  },
)
