import {
  bookingSender,
  checksOf,
  confirmationsOf,
  groupChecks,
  type V1Requests,
} from '../../fixtures/check/requests/index.ts'
import { checkedResort, isRefusedOrder, resortSeller, roomsApart } from '../../fixtures/check/v1/index.ts'
import { hotelHolder, hotelKeys, hotelOrder, isRefusal, type Stated } from '../../fixtures/service/index.ts'
import { describe, test } from '../../fixtures/test.ts'

const ofRooms: Pick<V1Requests<'v1-hotels'>, 'refusal' | 'isRefused'> = {
  refusal: 'a refusal (4xx) and no booking',
  isRefused: answer => isRefusedOrder(answer) && answer.response.status < 500,
}

const ofOne: V1Requests<'v1-hotels'> = {
  ...confirmationsOf('v1-hotels', ({ arrange }) => arrange.offer()),
  ...ofRooms,
  lacking: {
    tags: ['V1-HOTEL-CONFIRM-FAILED-NO-ID', 'TEST-MODE-V1-HOTEL-VALIDATES'],
    async judge({ arrange, expect }, answer) {
      await arrange.testCredential()
      expect(answer, 'TEST-MODE-V1-HOTEL-VALIDATES').toBeAnError()
    },
  },
}

const ofSeveral = { ...confirmationsOf('v1-hotels', ({ arrange }) => roomsApart(arrange)), ...ofRooms }
const ofResorts = {
  ...confirmationsOf(
    'v1-hotels',
    ({ arrange }) => checkedResort(arrange),
    ({ arrange }) => resortSeller(arrange),
  ),
  ...ofRooms,
}

const isOfAny = ({ about }: Stated) => about === undefined

for (const table of [hotelOrder, hotelHolder]) {
  for (const [rooms, requests, isTold] of [
    ['', ofOne, isOfAny],
    [' of several rooms', ofSeveral, (one: Stated) => isRefusal(one) && isOfAny(one)],
    [' of resort hotels A', ofResorts, isRefusal],
  ] as const)
    describe(`${table.subject}${rooms}`, () => {
      const own = { ...table, promises: table.promises.filter(isTold) }
      for (const { title, body, ...options } of checksOf(own, requests)) test(title, options, body)
    })
}

describe('bookingConfirm: what is refused', () => {
  for (const { title, body, ...options } of groupChecks(bookingSender, hotelKeys)) test(title, options, body)
})
