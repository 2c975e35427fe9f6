import { type ClauseRecord, SEVERITIES, type Severity } from '../../fixtures/record.ts'

/** A clause, with what a record says of its harm. */
type Row = Pick<ClauseRecord, 'id'> & Partial<Pick<ClauseRecord, 'findings'>>

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

/** Returns what kind of harm it does that a clause is broken: what the record says, or else the table. */
export const severityOf = ({ id, findings }: Row): Severity => findings?.[0]?.severity ?? severityByTable(id)

/** Returns what the table says of a clause. */
export function severityByTable(id: string): Severity {
  return BY_ID.find(([beginning]) => beginning.test(id))?.[1] ?? 'states'
}

/** Compares clauses by harm, required ones before recommendations; equal ones keep their order. */
export function byHarm(a: Row & Pick<ClauseRecord, 'level'>, b: Row & Pick<ClauseRecord, 'level'>): number {
  const rank = (row: Row & Pick<ClauseRecord, 'level'>): number =>
    (row.level === 'must' ? 0 : SEVERITIES.length) + SEVERITIES.indexOf(severityOf(row))
  return rank(a) - rank(b)
}
