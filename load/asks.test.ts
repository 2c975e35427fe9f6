import { expect, test } from 'vitest'
import { hasFinished, hotelsOf, objectsIn } from '../fixtures/deployments/definition/open-shapes.ts'
import { hotelListIn } from './discovery.ts'

const kits = { hotels: hotelsOf, finished: hasFinished }
const hotel = (hotel_id: number) => ({ hotel_id, rooms: [{ offers: [{ offer_id: `offer-${hotel_id}` }] }] })
const ANSWER = { status: 'finished', currency: 'EUR', notes: [1], hotels: [hotel(1), hotel(2)] }

test.each([
  ['as the document shows it', ANSWER, kits, 'hotels'],
  ['of another name', { status: 'finished', houses: ANSWER.hotels }, kits, 'houses'],
  ['in two lists', { ...ANSWER, more: [hotel(3)] }, kits, undefined],
  [
    'that tells of every hotel whether it is all',
    { hotels: ANSWER.hotels.map(one => ({ ...one, done: true })) },
    { ...kits, finished: (answer: unknown) => objectsIn(answer).every(({ done }) => done !== false) },
    undefined,
  ],
  [
    'whose hotels are known by their places',
    ANSWER,
    {
      ...kits,
      hotels: (answer: unknown) => hotelsOf(answer).map((one, place) => ({ ...one, hotelId: place })),
    },
    undefined,
  ],
])('hotels of an answer %s are read one by one where each says the same alone', (_, answer, shape, name) => {
  expect(hotelListIn(answer, shape)).toBe(name)
})
