import type { StoredExchange } from '../../fixtures/client/redaction/index.ts'
import { textOf } from '../../fixtures/contracts/reading.ts'
import { jsonIn } from '../../fixtures/ground/read-json.ts'
import { bodyText, jsonOf, placesIn, type Total } from './plan.ts'

/** The total in the body of an order, as it was sent. */
const TOTAL = /("total_amount"\s*:\s*"?)(-?\d[\d.eE+-]*)/

/**
 * Returns how the total of an order of v1 follows from the prices that its company was told before; `undefined` if it does
 * not. The prices may differ when a script asks for them, and what was sent above or below them stays as much above or below.
 */
export function totalOf(step: StoredExchange, before: readonly StoredExchange[]): Total | undefined {
  const [, after, text] = TOTAL.exec(bodyText(step)) ?? []
  if (step.version !== 'v1' || text === undefined) return undefined
  const body = Object(jsonIn(bodyText(step)))
  const { plu, plu_ad = plu, plu_ch = plu } = body
  const tickets = [
    { code: body.product_id_adult ?? plu_ad, times: Number(body.adults) },
    { code: body.product_id_child ?? plu_ch, times: Number(body.children) },
  ].filter(({ code, times }) => code !== undefined && times > 0)
  const { sender } = step
  const asked = before
    .toReversed()
    .filter(one => /price/i.test(one.request.path) && one.sender.role === sender.role)
    .filter(one => one.sender.tenant === sender.tenant)
  // What a ride is asked by is not shown: by nothing that its order does not say.
  const wanted = tickets.length > 0 ? tickets : [{ code: undefined, times: 1 }]
  const terms = wanted.flatMap(({ code, times }) => {
    for (const from of asked) {
      const by = Object.values(Object(jsonIn(bodyText(from))))
      if (code === undefined ? !by.every(one => Object.values(body).includes(one)) : !by.includes(code))
        continue
      const isOfDay = (row: unknown) =>
        code === undefined ||
        [body.date, body.event_time ?? ''].every(part => textOf(row).includes(textOf(part)))
      const found = placesIn(jsonOf(from)).find(
        ({ value, key, around }) => typeof value === 'number' && /price|total/i.test(key) && isOfDay(around),
      )
      if (found !== undefined) return [{ from, path: found.path, price: Number(found.value), times }]
    }
    return []
  })
  const sum = terms.reduce((all, { price, times }) => all + price * times, 0)
  const plus = Math.round((Number(text) - sum) * 1e6) / 1e6
  // An amount of another size was not made from the price.
  if (terms.length < wanted.length || !(Math.abs(plus) < sum / 2)) return undefined
  return { step, text, after: after!, terms, plus }
}
