// The journeys of the mix, request for request, in a script for k6 alone: nothing is judged, no answer is kept, and
// k6 does not read bodies that are not needed.
import { sleep } from 'k6'
import { SharedArray } from 'k6/data'
import exec from 'k6/execution'
import http, { type Params } from 'k6/http'
import type { Options } from 'k6/options'

const { BASE_URL = '', BOOKABLES = '', TOKENS = '', RUN = '', PAUSE = '0.1' } = __ENV
const { RATE = '1', SECONDS = '1', CLIENTS = '1' } = __ENV

export const options: Options = {
  scenarios: {
    mix: {
      executor: 'ramping-arrival-rate',
      startRate: Number(RATE),
      stages: [{ target: Number(RATE), duration: `${SECONDS}s` }],
      preAllocatedVUs: Number(CLIENTS),
      maxVUs: Number(CLIENTS),
    },
  },
  discardResponseBodies: true,
  summaryTrendStats: ['med', 'p(99)'],
}

// Vouchers that are not ready and lost races for stock are not failures.
http.setResponseCallback(http.expectedStatuses({ min: 200, max: 299 }, 409))

const list = <T>(name: string) => new SharedArray<T>(name, () => JSON.parse(open(BOOKABLES))[name])
const tokens = new SharedArray('tokens', () => TOKENS.split('\n'))
const transferAsks = list<{ request: object; item: object }>('v2-transfers')
const ticketAsks = list<{ request: object; item: object }>('v2-tickets')
const hotelAsks = list<{ request: object; item: object }>('v2-hotels')

const MIX = [transfers, browse, tickets, hotels, transfers, browse, tickets, transfers, hotels, browse]

/** The number of the current journey, its partner, and how many journeys that partner has made before. */
let [journey, partner, round] = [0, 0, 0]

export default function () {
  journey = exec.scenario.iterationInTest
  partner = journey % tokens.length
  round = Math.floor(journey / tokens.length)
  MIX[(partner + round) % MIX.length]!()
}

function browse() {
  look('transfer catalog', '/api/v2/transfers/products')
  look('ticket catalog', '/api/v2/tickets/products')
  look('ticket brands', '/api/v2/tickets/brands')
  look('hotel destinations', '/api/v2/hotels/destinations')
  look('v1 destinations', '/api/v1/hotel/content/destinations?page=1&limit=1')
}

function transfers() {
  const { request, item } = transferAsks[round % transferAsks.length]!
  const found = ask('transfer availability', '/api/v2/transfers/availability', request)
  buy(found.json('results.0.days.#(availability=="available").offer_id'), item)
}

function tickets() {
  const { request, item } = ticketAsks[round % ticketAsks.length]!
  const found = ask('ticket availability', '/api/v2/tickets/availability', request)
  buy(found.json('results.0.days.#(availability=="available").offer_id'), item)
}

function hotels() {
  const { request, item } = hotelAsks[round % hotelAsks.length]!
  const search = ask('hotel search', '/api/v2/hotels/availability', request).json('search_id')
  for (;;) {
    sleep(Number(PAUSE))
    const poll = http.get(
      `${BASE_URL}/api/v2/hotels/availability/${search}`,
      params('hotel poll', { reads: true }),
    )
    if (poll.status !== 200) return
    if (poll.json('status') !== 'finished') continue
    buy(poll.json('hotels.#(cancellable_online==true).rooms.0.offers.0.offer_id'), item)
    return
  }
}

function buy(offer: unknown, item: object) {
  if (offer === undefined) return
  const checked = post('offer check', '/offers/check', { offer_id: offer }, { reads: true })
  const body = {
    external_reference: `${RUN}-${journey}`,
    items: [{ ...item, offer_id: checked.json('offer.offer_id') }],
  }
  const booked = post('book', '/bookings', body, { reads: true, key: `${RUN}-${journey}` })
  const path = `/bookings/${booked.json('booking.booking_id')}`
  http.get(`${BASE_URL}/api/v2${path}`, params('booking'))
  if (journey % 3 === 0) http.get(`${BASE_URL}/api/v2${path}/voucher`, params('voucher'))
  post('cancel', `${path}/cancel`, null)
  if (journey % 4 === 1) http.get(`${BASE_URL}/api/v2${path}`, params('booking'))
}

const look = (name: string, path: string) => http.get(BASE_URL + path, params(name))

const ask = (name: string, path: string, body: object) =>
  http.post(BASE_URL + path, JSON.stringify(body), params(name, { reads: true }))

const post = (name: string, path: string, body: object | null, how: How = {}) =>
  http.post(`${BASE_URL}/api/v2${path}`, body && JSON.stringify(body), params(name, how))

interface How {
  /** Whether its body is needed. */
  reads?: boolean
  key?: string
}

function params(name: string, { reads, key }: How = {}): Params {
  return {
    headers: {
      Authorization: `Bearer ${tokens[partner]}`,
      Accept: 'application/json',
      'Accept-Encoding': 'gzip',
      'Content-Type': 'application/json',
      ...(key === undefined ? {} : { 'Idempotency-Key': key }),
    },
    tags: { name },
    responseType: reads ? 'text' : 'none',
  }
}
