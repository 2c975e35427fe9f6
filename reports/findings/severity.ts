import { type ClauseRecord, SEVERITIES, type Severity } from '../../fixtures/ground/record.ts'

/** A clause, and its findings in a record if any. */
type Row = Pick<ClauseRecord, 'id'> & Partial<Pick<ClauseRecord, 'findings'>>

/** The severity by the beginning of an id. The first matching row counts. */
const BY_ID: readonly (readonly [beginning: RegExp, severity: Severity])[] = [
  // Tenancy and money: another company's booking, a live booking instead of a test, two bookings instead of one.
  [/^(TENANCY|AUTH|TEST-MODE)-/, 'money and tenancy'],
  [/^V[12]-IDEM-(.*-)?(RACE|ONE|COMPANY|ACCOUNT)(-|$)/, 'money and tenancy'],
  [/(^|-)(TOTAL|PRICE|AMOUNT|CURRENCY)(-|$)/, 'money and tenancy'],
  [/^(V[12]-IDEM|VERSION-IDEM)-/, 'idempotency'],
  [/^V2-(BOOK|BOOKING|CANCEL|PENDING|FAILED|VOUCHER|OFFER|PROVIDER|AVAIL)-/, 'states'],
  [/^(CACHE|GZIP|FORMAT|TIMEOUT)-/, 'formats'],
  [/^(LIMIT|METHOD|VERSION|V[12]-ERR|V2-VALIDATION|V2-REQUEST|V2-JSON|CLIENT)-/, 'answers'],
]

/** Returns the severity of a broken clause: from the record, or else from the table. */
export const severityOf = ({ id, findings }: Row): Severity => findings?.[0]?.severity ?? severityByTable(id)

/** Returns the severity of a clause in the table. */
export function severityByTable(id: string): Severity {
  return BY_ID.find(([beginning]) => beginning.test(id))?.[1] ?? 'states'
}

/** Compares clauses by severity, requirements before recommendations. Equal ones keep their order. */
export function byHarm(a: Row & Pick<ClauseRecord, 'level'>, b: Row & Pick<ClauseRecord, 'level'>): number {
  const rank = (row: Row & Pick<ClauseRecord, 'level'>): number =>
    (row.level === 'must' ? 0 : SEVERITIES.length) + SEVERITIES.indexOf(severityOf(row))
  return rank(a) - rank(b)
}
