import type { ClauseRecord } from '../fixtures/record.ts'

/** How much harm a broken clause does, worst first. Reports show findings in this order. */
export const SEVERITIES = ['money and tenancy', 'idempotency', 'states', 'answers', 'formats'] as const
/** What kind of harm a broken clause does. */
export type Severity = (typeof SEVERITIES)[number]

/** By the beginning of an id; the first row that fits decides. */
const BY_ID: readonly (readonly [beginning: RegExp, severity: Severity])[] = [
  // Who may see or spend what: a stranger's booking, a live booking for a test one, two bookings for one.
  [/^(TENANCY|AUTH|TEST-MODE)-/, 'money and tenancy'],
  [/^V[12]-IDEM-(.*-)?(RACE|ONE|COMPANY|ACCOUNT)(-|$)/, 'money and tenancy'],
  [/(^|-)(TOTAL|PRICE|AMOUNT|CURRENCY)(-|$)/, 'money and tenancy'],
  [/^(V[12]-IDEM|VERSION-IDEM)-/, 'idempotency'],
  [/^V2-(BOOK|BOOKING|CANCEL|PENDING|FAILED|VOUCHER|OFFER|PROVIDER|AVAIL)-/, 'states'],
  [/^(CACHE|GZIP|FORMAT|TIMEOUT)-/, 'formats'],
  [/^(LIMIT|METHOD|VERSION|V[12]-ERR|V2-VALIDATION|V2-REQUEST|V2-JSON|CLIENT)-/, 'answers'],
]

/** Returns what kind of harm it does that a clause is broken. */
export function severityOf({ id }: Pick<ClauseRecord, 'id'>): Severity {
  return BY_ID.find(([beginning]) => beginning.test(id))?.[1] ?? 'states'
}

/** Compares clauses by harm, required ones before recommendations; equal ones keep their order. */
export function byHarm(a: Pick<ClauseRecord, 'id' | 'level'>, b: Pick<ClauseRecord, 'id' | 'level'>): number {
  const rank = (row: Pick<ClauseRecord, 'id' | 'level'>): number =>
    (row.level === 'must' ? 0 : SEVERITIES.length) + SEVERITIES.indexOf(severityOf(row))
  return rank(a) - rank(b)
}
