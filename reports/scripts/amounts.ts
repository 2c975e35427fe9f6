import type { StoredExchange } from '../../fixtures/client/redaction/index.ts'
import { at, isObject, type JsonObject, textOf } from '../../fixtures/contracts/reading.ts'
import { jsonIn } from '../../fixtures/ground/read-json.ts'
import { bodyText, jsonOf, type Total } from './plan.ts'

/** What an order costs: so often what an earlier answer shows at a path. */
type Terms = Total['terms']

/** The total in the body of an order, as it was sent. */
const TOTAL = /"total_amount"\s*:\s*"?(-?\d[\d.eE+-]*)/

/** Returns the requests that a company sent before. */
export const sentBefore = (step: StoredExchange, before: readonly StoredExchange[]): StoredExchange[] =>
  before.filter(({ sender }) => sender.role === step.sender.role && sender.tenant === step.sender.tenant)

/**
 * Returns how the total of an order of v1 follows from the prices that its company was told before; `undefined` if it does
 * not. The prices may differ when a script asks for them, and what was sent above or below them stays as much above or below.
 */
export function totalOf(step: StoredExchange, before: readonly StoredExchange[]): Total | undefined {
  const [after, text] = TOTAL.exec(bodyText(step)) ?? []
  const body = jsonIn(bodyText(step))
  if (step.version !== 'v1' || text === undefined || !isObject(body)) return undefined
  const earlier = sentBefore(step, before).toReversed()
  const terms = termsOfTickets(body, earlier) ?? termsOfRide(body, earlier)
  const sum = terms?.reduce((all, { price, times }) => all + price * times, 0) ?? 0
  const plus = Math.round((Number(text) - sum) * 1e6) / 1e6
  // An amount of another size was not made from the price.
  if (terms === undefined || !(Math.abs(plus) < sum / 2)) return undefined
  return { step, text, after: after!.slice(0, -text.length), terms, plus }
}

/** Where answers show prices of days: the list, and in its rows the day and the price. */
const ROWS = [
  ['results', 'date', 'price'],
  ['eventResults', 'eventDateTime', 'totalPriceWithTax'],
] as const

/** Returns the terms of tickets: for each code, the row of its day and time in what its price was asked for. */
function termsOfTickets(body: JsonObject, earlier: readonly StoredExchange[]): Terms | undefined {
  const codes = [
    [body.product_id_adult ?? body.plu_ad ?? body.plu, body.adults],
    [body.product_id_child ?? body.plu_ch ?? body.plu, body.children],
  ] as const
  const terms = codes
    .filter(([, times]) => Number(times) > 0)
    .map(([code, times]) => {
      for (const from of code === undefined ? [] : earlier) {
        const asked = jsonIn(bodyText(from))
        if (!isObject(asked) || (asked.product_id ?? asked.plu) !== code) continue
        const json = jsonOf(from)
        for (const [list, day, name] of ROWS) {
          const rows = at(json, list)
          const place = Array.isArray(rows)
            ? rows.findIndex(row =>
                [body.date, body.event_time ?? ''].every(part =>
                  textOf(at(row, day) ?? '').includes(textOf(part)),
                ),
              )
            : -1
          const price = at(json, `${list}[${place}].${name}`)
          if (typeof price === 'number')
            return { from, path: [list, place, name], price, times: Number(times) }
        }
      }
      return undefined
    })
  return terms.length > 0 && terms.every(one => one !== undefined) ? terms : undefined
}

/** Returns the terms of a ride, whose price request is not shown: it says nothing that the order does not say. */
function termsOfRide(body: JsonObject, earlier: readonly StoredExchange[]): Terms | undefined {
  const said = new Set(Object.values(body))
  for (const from of earlier) {
    const [asked, json] = [jsonIn(bodyText(from)), jsonOf(from)]
    if (!/price|quote/i.test(from.request.path) || !isObject(asked) || !isObject(json)) continue
    if (!Object.values(asked).every(value => said.has(value))) continue
    const shown = Object.entries(json).find(
      ([name, value]) => /total|price|amount/i.test(name) && typeof value === 'number',
    )
    if (shown !== undefined) return [{ from, path: [shown[0]], price: Number(shown[1]), times: 1 }]
  }
  return undefined
}
