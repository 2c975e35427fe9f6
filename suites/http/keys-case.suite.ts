import { isMarketRefusal } from '../../fixtures/check/buying/index.ts'
import { endpointOf, type Fields, resend, v1EndpointCalls } from '../../fixtures/check/sending/index.ts'
import type { ClauseId } from '../../fixtures/clauses/index.ts'
import { at, isObject } from '../../fixtures/contracts/index.ts'
import { requiredKeysOf, type V1Product, v1IdIn } from '../../fixtures/service/index.ts'
import { assume, describe, EVERY_V1_KIND, type Exchange, independently, test } from '../../fixtures/test.ts'

/** Returns the clause about the case of a product's keys. */
const clauseOf = (product: V1Product) =>
  `FORMAT-V1-KEYS-CASE-${product.slice('v1-'.length).toUpperCase()}` as ClauseId

const RATEKEY = 'V1-HOTEL-CONFIRM-RATEKEY-CASE'

/** Keys whose case the document mentions. They are tried in every run. */
const NAMED = ['ratekey', 'DeliveryMethod']

/** Returns the key with the case of its first letter changed: `Id_orden`, `deliveryMethod`. */
const recased = ([first = '', ...rest]: string): string =>
  (first === first.toUpperCase() ? first.toLowerCase() : first.toUpperCase()) + rest.join('')

/** Returns a function that moves the value of a key to another key, or removes it. */
const moved =
  (path: string, to: (key: string) => string | undefined): Fields =>
  fields => {
    const [key = '', ...inner] = path.split('.')
    const { [key]: value, ...others } = fields
    if (inner.length === 0) {
      const name = to(key)
      return name === undefined ? others : { ...others, [name]: value }
    }
    const change = moved(inner.join('.'), to)
    return {
      ...fields,
      [key]: Array.isArray(value)
        ? value.filter(isObject).map(change)
        : isObject(value)
          ? change(value)
          : value,
    }
  }

/** Returns whether an answer contains what was requested. A price without days or rows does not. */
const isServed = ({ response: { status, json } }: Exchange): boolean =>
  status < 300 &&
  at(json, 'success') !== false &&
  !['results', 'eventResults'].some(name => {
    const rows = at(json, name)
    return Array.isArray(rows) && rows.length === 0
  })

/** If requests are limited, one in this many keys is tried in a run. */
const ONE_IN = 6

/** The number of attempts: a request refused this often in a row lacks something, whatever the market. */
const ASKED = 6

/** Returns the last answer to a request that is never served; `undefined` if it is. */
async function refusedEveryTime(ask: () => Promise<Exchange>): Promise<Exchange | undefined> {
  for (let time = 1; ; time++) {
    const answer = await ask()
    if (isServed(answer)) return undefined
    if (time === ASKED) return answer
  }
}

describe('a required field of v1 whose name is in another case', () => {
  for (const product of EVERY_V1_KIND) {
    test(`does not count as that field (${product})`, {
      tags: product === 'v1-hotels' ? [clauseOf(product), RATEKEY] : [clauseOf(product)],
      kinds: [product],
      costs: 'requests',
    }, async check => {
      const { offered, booked } = await v1EndpointCalls(check)
      const keepsToItsKeys =
        (ready: () => Promise<Exchange>, afresh: Fields = fields => fields) =>
        async () => {
          const served = assume.sold(await ready(), 'the same call by its own keys')
          const { id } = endpointOf(served)
          const ask = (change: Fields) => resend(check, served, { fields: fields => change(afresh(fields)) })
          const keys = requiredKeysOf(id)
          const named = keys.filter(key => NAMED.includes(key))
          const others = keys.filter(key => !NAMED.includes(key))
          const most = Math.max(0, Math.ceil(keys.length / ONE_IN) - named.length)
          for (const key of [...named, ...check.arrange.drawn(others, most)]) {
            // That key is spelled in three ways: part 2.1 gives the check's answer another one.
            const other = key === 'ratekey' ? 'rateKey' : recased(key.split('.').at(-1)!)
            const answer = await ask(moved(key, () => other))
            // If the request succeeds without the key, the changed key was not read.
            const without = () => refusedEveryTime(() => ask(moved(key, () => undefined)))
            const refused = isServed(answer) ? await without() : undefined
            // What was just sold may have been the last.
            if (refused !== undefined && isMarketRefusal(refused))
              assume.sold(await ask(same => same), 'the same call by its own keys')
            const clause = key === 'ratekey' ? RATEKEY : clauseOf(product)
            check.expect(answer, clause).toGive(`what it answers without ${other}`, refused === undefined)
          }
        }
      await independently(...offered.map(ready => keepsToItsKeys(ready)), async () => {
        const { standing, printed, cancelOtherwise } = await booked()
        const [confirm] = standing
        await independently(
          ...[...standing, ...(printed === undefined ? [] : [printed])].map(ready => keepsToItsKeys(ready)),
          async () => {
            // A cancelled order is refused whatever the key, so an active one is used.
            const another = (await booked()).standing[0]!
            const [id, other] = await Promise.all(
              [confirm!, another].map(async ready => v1IdIn((await ready()).response.json)),
            )
            const ofAnother: Fields = fields =>
              Object.fromEntries(
                Object.entries(fields).map(([key, value]) => [key, value === id ? other : value]),
              )
            await keepsToItsKeys(() => cancelOtherwise({}), ofAnother)()
          },
        )
      })
    })
  }
})
