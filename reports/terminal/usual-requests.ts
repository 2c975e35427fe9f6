/** The usual requests of the checks of a suite file, measured. */
interface Usual {
  /** The number of its checks. */
  checks: number
  /** Requests of all credentials, by API version, on a deployment without control, where limits decide. */
  v1: number
  v2: number
  /** Those of them that the standard credential sends, which waits longest. */
  standard: { v1: number; v2: number }
  /** Requests of all credentials in both versions, on a deployment that mints companies. */
  minted: number
}

/**
 * By suite file: `[checks, v1, v2, standard v1, standard v2, minted]`, each of a run of the second deployment without control (480 requests a minute) and
 * of the embedded one. Only their proportions matter: a run corrects the sum by what it sees. Files that are missing here
 * count as average ones.
 */
const MEASURED: Readonly<Record<string, readonly [number, number, number, number, number, number]>> = {
  'http/authentication': [8, 7, 7, 7, 7, 22],
  'http/compression': [4, 0, 22, 0, 22, 17],
  'http/dates': [3, 0, 4, 0, 4, 57],
  'http/endpoints': [8, 123, 152, 123, 152, 853],
  'http/envelopes': [9, 0, 35, 0, 35, 63],
  'http/envelopes-v1': [4, 8, 0, 8, 0, 8],
  'http/invalid': [12, 0, 38, 0, 38, 539],
  'http/isolation': [36, 109, 209, 67, 95, 725],
  'http/keys-case': [4, 41, 0, 41, 0, 71],
  'http/limits': [2, 1, 1, 1, 1, 1134],
  'http/own-vouchers': [8, 25, 94, 25, 96, 93],
  'http/past-limit': [8, 0, 0, 0, 0, 672],
  'http/test-mode': [23, 29, 41, 22, 35, 101],
  'http/validation': [8, 0, 40, 0, 40, 64],
  'http/versions': [16, 23, 21, 23, 21, 43],
  'http/voucher-language': [3, 0, 0, 0, 0, 46],
  'v1-hotels/access': [1, 0, 0, 0, 0, 7],
  'v1-hotels/accounts': [10, 61, 0, 22, 0, 115],
  'v1-hotels/cancel': [7, 18, 0, 18, 0, 52],
  'v1-hotels/check-price': [9, 68, 0, 44, 0, 47],
  'v1-hotels/confirm': [9, 52, 0, 51, 0, 38],
  'v1-hotels/confirm-market': [14, 12, 0, 12, 0, 85],
  'v1-hotels/confirm-refusals': [12, 111, 0, 111, 0, 62],
  'v1-hotels/content': [3, 20, 0, 20, 0, 14],
  'v1-hotels/dates': [2, 7, 0, 7, 0, 6],
  'v1-hotels/destinations': [9, 35, 0, 29, 0, 59],
  'v1-hotels/detail': [2, 7, 0, 7, 0, 22],
  'v1-hotels/full-search': [3, 1, 0, 1, 0, 11],
  'v1-hotels/life': [1, 7, 0, 7, 0, 20],
  'v1-hotels/locations': [2, 6, 0, 6, 0, 8],
  'v1-hotels/number': [4, 30, 0, 23, 0, 50],
  'v1-hotels/occupancy': [5, 32, 0, 32, 0, 50],
  'v1-hotels/resort-confirm': [11, 57, 0, 0, 0, 86],
  'v1-hotels/rooms': [6, 20, 0, 20, 0, 42],
  'v1-hotels/search': [5, 17, 0, 17, 0, 39],
  'v1-hotels/search-ends': [1, 18, 0, 18, 0, 29],
  'v1-hotels/search-requests': [4, 23, 0, 23, 0, 100],
  'v1-hotels/search-walks': [2, 18, 0, 18, 0, 43],
  'v1-idempotency/length': [34, 87, 0, 78, 0, 409],
  'v1-idempotency/released': [31, 21, 0, 21, 0, 206],
  'v1-idempotency/replay': [41, 136, 0, 99, 0, 282],
  'v1-idempotency/running': [32, 24, 0, 12, 0, 245],
  'v1-orders/cancel': [13, 8, 0, 6, 0, 107],
  'v1-orders/confirm': [11, 7, 0, 7, 0, 46],
  'v1-orders/counted': [4, 0, 0, 0, 0, 13],
  'v1-orders/life': [2, 21, 0, 21, 0, 39],
  'v1-orders/people': [10, 30, 0, 30, 0, 82],
  'v1-orders/sums': [2, 26, 0, 26, 0, 39],
  'v1-orders/totals': [14, 90, 0, 90, 0, 170],
  'v1-orders/voucher': [8, 45, 0, 45, 0, 142],
  'v1-orders/whole-life': [9, 15, 0, 15, 0, 280],
  'v1-park-a/ages': [8, 20, 0, 20, 0, 64],
  'v1-park-a/catalog': [4, 13, 0, 13, 0, 15],
  'v1-park-a/confirm': [7, 55, 0, 55, 0, 44],
  'v1-park-a/dates': [3, 16, 0, 16, 0, 24],
  'v1-park-a/endpoints': [2, 6, 0, 6, 0, 11],
  'v1-park-a/numbers': [1, 6, 0, 6, 0, 10],
  'v1-park-a/passengers': [8, 69, 0, 69, 0, 161],
  'v1-park-a/price-ranges': [5, 22, 0, 22, 0, 75],
  'v1-park-a/prices': [6, 27, 0, 27, 0, 108],
  'v1-park-a/sellable-days': [3, 6, 0, 6, 0, 50],
  'v1-park-b/accepted': [8, 25, 0, 25, 0, 25],
  'v1-park-b/capacity': [1, 0, 0, 0, 0, 2],
  'v1-park-b/catalog': [2, 1, 0, 1, 0, 5],
  'v1-park-b/delivery': [5, 49, 0, 11, 1, 48],
  'v1-park-b/no-availability': [1, 6, 0, 6, 0, 7],
  'v1-park-b/price': [7, 43, 0, 43, 0, 272],
  'v1-park-b/refused': [9, 70, 0, 56, 0, 107],
  'v1-park-b/voucher': [4, 3, 0, 3, 5, 50],
  'v1-transfers/blocked-dates': [1, 16, 0, 16, 0, 48],
  'v1-transfers/cancel': [4, 21, 0, 11, 0, 20],
  'v1-transfers/confirm': [11, 46, 0, 46, 0, 88],
  'v1-transfers/life': [1, 14, 0, 14, 0, 15],
  'v1-transfers/voucher': [2, 6, 0, 6, 0, 7],
  'v2-bookings/cancel': [40, 0, 287, 0, 239, 432],
  'v2-bookings/cancel-deadline': [4, 0, 0, 0, 0, 22],
  'v2-bookings/counts': [8, 0, 0, 0, 0, 49],
  'v2-bookings/create': [33, 0, 205, 0, 145, 145],
  'v2-bookings/idempotency-bodies': [17, 0, 142, 0, 88, 201],
  'v2-bookings/idempotency-later': [12, 0, 22, 0, 22, 38],
  'v2-bookings/idempotency-progress': [29, 0, 41, 0, 41, 210],
  'v2-bookings/idempotency-refusals': [85, 0, 12, 0, 12, 261],
  'v2-bookings/idempotency-replay': [84, 0, 193, 0, 166, 387],
  'v2-bookings/in-full': [17, 0, 17, 0, 11, 100],
  'v2-bookings/kinds': [4, 0, 24, 0, 24, 39],
  'v2-bookings/life': [4, 0, 2, 0, 2, 211],
  'v2-bookings/lives': [19, 0, 145, 0, 107, 357],
  'v2-bookings/nationality': [20, 0, 91, 0, 91, 88],
  'v2-bookings/neutral': [36, 0, 15, 0, 15, 177],
  'v2-bookings/pending': [43, 0, 0, 0, 0, 497],
  'v2-bookings/required': [16, 0, 78, 0, 78, 50],
  'v2-bookings/test-mode': [19, 0, 49, 0, 40, 65],
  'v2-bookings/travelers': [19, 0, 81, 0, 75, 66],
  'v2-bookings/whole-life': [13, 0, 0, 0, 0, 697],
  'v2-hotels/accounts': [6, 0, 48, 0, 5, 57],
  'v2-hotels/bookings': [5, 0, 13, 0, 13, 30],
  'v2-hotels/compression': [2, 0, 13, 0, 13, 9],
  'v2-hotels/destinations': [1, 0, 1, 0, 1, 1],
  'v2-hotels/occupancy': [2, 0, 20, 0, 20, 22],
  'v2-hotels/offers': [4, 0, 85, 0, 26, 54],
  'v2-hotels/search': [4, 0, 27, 0, 23, 48],
  'v2-offers/check': [20, 0, 183, 0, 164, 129],
  'v2-offers/gone': [21, 0, 0, 0, 0, 109],
  'v2-offers/integrity': [33, 0, 94, 0, 43, 375],
  'v2-offers/price': [41, 0, 26, 0, 26, 254],
  'v2-tickets/availability': [4, 0, 12, 0, 12, 112],
  'v2-tickets/booking': [2, 0, 18, 0, 18, 48],
  'v2-tickets/brands': [4, 0, 2, 0, 2, 6],
  'v2-tickets/catalog': [4, 0, 15, 0, 15, 18],
  'v2-tickets/endpoints': [2, 0, 6, 0, 6, 7],
  'v2-tickets/offers': [3, 0, 30, 0, 30, 21],
  'v2-tickets/options': [2, 0, 5, 0, 5, 4],
  'v2-tickets/travelers': [2, 0, 24, 0, 24, 27],
  'v2-transfers/availability': [7, 0, 29, 0, 29, 74],
  'v2-transfers/catalog': [3, 0, 7, 0, 7, 11],
  'v2-vouchers/language': [8, 0, 12, 0, 12, 97],
  'v2-vouchers/vouchers': [24, 0, 158, 0, 50, 236],
}

type Row = (typeof MEASURED)[string]

const usualIn = ([checks, v1, v2, ofV1, ofV2, minted]: Row): Usual => ({
  checks,
  v1,
  v2,
  minted,
  standard: { v1: ofV1, v2: ofV2 },
})

const rows = Object.values(MEASURED)
const mean = (at: number): number => rows.reduce((total, row) => total + row[at]!, 0) / rows.length
const AVERAGE = usualIn([mean(0), mean(1), mean(2), mean(3), mean(4), mean(5)])

/** Returns the usual requests of a suite file, by its path from the folder of the kit. */
export function usualOf(file: string): Usual {
  const row = MEASURED[file.replace(/^suites\//, '').replace(/\.suite\.[jt]s$/, '')]
  return row === undefined ? AVERAGE : usualIn(row)
}
