import { v1ErrorsOf } from '../../fixtures/check/legal-answers.ts'
import { assume, describe, test } from '../../fixtures/test.ts'

/** An id that no deployment has reached. */
const NOBODYS = 2_000_000_011

describe('errors of v1', () => {
  test('have a status of 400 or higher, and fields of their types', {
    tags: [
      'V1-ERR-STATUS',
      'V1-ERR-MESSAGE',
      'V1-ERR-ERROR',
      'V1-ERR-CODE',
      'V1-ERR-CODE-STATUS',
      'V1-ERR-REQUEST-ID',
    ],
    kinds: ['v1-hotels'],
  }, async ({ v1 }) => {
    const answer = await v1.hotels.booking({ id_orden: NOBODYS })
    assume(
      v1ErrorsOf(answer).includes('Booking not found') || answer.response.status < 400,
      'an error in the words of the document',
    )
    const body = Object(answer.response.json)
    assume(
      'error' in body && 'code' in body && 'request_id' in body,
      'an error with error, code and request_id',
    )
  })
})
