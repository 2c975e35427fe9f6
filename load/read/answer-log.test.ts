import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../fixtures/client/testing/client.ts'
import { ANSWER_MARK, BODY_MARK, type LoggedAnswer } from '../../fixtures/ground/logged.ts'
import { type LoadExchange, type LoadFailure, readAnswerLog } from './evidence.ts'

const ANSWER: LoggedAnswer = {
  op: 'v2 book',
  who: 'first',
  part: 'keys',
  at: Date.UTC(2026, 10, 20, 7, 26, 1, 250),
  took: 12.5,
  heardAt: Date.UTC(2026, 10, 20, 7, 26, 1, 270),
  request: {
    method: 'POST',
    url: 'http://127.0.0.1:1234/base/api/v2/bookings',
    headers: { 'Idempotency-Key': 'key-1' },
    body: '{"items":[]}',
  },
  response: {
    status: 201,
    headers: { 'Content-Type': 'application/json', 'X-Many': '1, 2' },
    body: '{"booking":{"name":"Zoë"}}',
  },
}

const logged = (...answers: unknown[]): string =>
  answers.map(answer => `${ANSWER_MARK}${JSON.stringify(answer)}\n`).join('')

async function read(content: string) {
  const path = join(temporaryFolder(), 'answers.ndjson')
  writeFileSync(path, content)
  const answers: (LoadExchange | LoadFailure)[] = []
  let last = 0
  await readAnswerLog(
    path,
    {
      baseUrl: 'http://127.0.0.1:1234/base/',
      senders: [
        { alias: 'first', role: 'standard', tenant: 'load-1' },
        { alias: 'second', role: 'other' },
      ],
      check: 'load: booking-contention',
      nextId: () => `l${++last}`,
    },
    answer => answers.push(answer),
  )
  return answers
}

const answered = async (changed: Partial<NonNullable<LoggedAnswer['response']>>) => {
  const answers = await read(logged({ ...ANSWER, response: { ...ANSWER.response, ...changed } }))
  return (answers[0] as LoadExchange).response
}

test('an answer: may have its body after the JSON, and is left out if that was cut off', async () => {
  const { body: text, ...response } = ANSWER.response!
  const follows = { ...ANSWER, response: { ...response, length: text!.length } }
  const line = `${logged(follows).trimEnd()}${BODY_MARK}${text}`
  const [whole, cut] = [await read(`${line}\n`), await read(`${logged(ANSWER)}${line.slice(0, -3)}`)]
  expect(whole).toEqual(await read(logged(ANSWER)))
  expect(cut).toEqual(whole)
})

test('an answer: gives each cookie back, so that the value of each can be hidden', async () => {
  const { headers } = await answered({
    headers: { 'Set-Cookie': 'a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT; Path=/, b=2; Path=/' },
  })
  expect(headers).toEqual([
    ['Set-Cookie', 'a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT; Path=/'],
    ['Set-Cookie', 'b=2; Path=/'],
  ])
})

const { response: __, ...withoutResponse } = ANSWER
test.each([
  ['a sender that the plan does not know', logged({ ...ANSWER, who: 'stranger' })],
  ['a request with neither answer nor error', logged(withoutResponse)],
  [
    'a body that was cut',
    `${logged({ ...ANSWER, response: { status: 200, headers: {}, length: 3 } }).trimEnd()}\t{}\n`,
  ],
  ['no JSON', `${ANSWER_MARK}{"op":secret}\n`],
  ['two lines in one', `${logged(ANSWER).slice(0, 50)}${logged(ANSWER)}`],
])('is refused in a sentence that quotes nothing: %s', async (_, bad) => {
  const error = await read(`started\n${bad}${logged(ANSWER)}`).catch(error => error)
  expect(error.message).toMatch(/^Line 2 of \S+\.ndjson is not an answer/)
  expect(error.message).not.toMatch(/secret|stranger|key-1/)
})
