import exec from 'k6/execution'
import http from 'k6/http'
import type { Briefing } from './iteration.ts'

/** A sender: its alias, and its place in the plan. */
interface Sender {
  plan: Briefing
  who: string
  at: number
}

/** The tokens of this client that change, by sender, with the time until which they are good. */
const held = new Map<string, { token: string; until: number }>()

/** Returns the token of a sender at this moment. If there is none, the whole run ends. @throws k6's abort */
export function tokenOf({ plan, who, at }: Sender): string {
  if (plan.renewals?.of.includes(who) !== true) return plan.tokens[at]!
  const known = held.get(who)
  if (known !== undefined && Date.now() < known.until) return known.token
  const answer = http.post(
    `${plan.renewals.url}/token`,
    JSON.stringify({ who, ...(known?.until === 0 ? { refused: known.token } : {}) }),
    {
      headers: { 'Content-Type': 'application/json' },
      responseType: 'text',
      timeout: LONGEST,
      // This tag excludes requests to the gate from all figures.
      tags: { op: 'gate' },
    },
  )
  const told = answer.status === 200 ? JSON.parse(String(answer.body)) : undefined
  if (told === undefined)
    exec.test.abort(`There is no new token for ${who}: the gate answered ${answer.status}.`)
  held.set(who, told)
  return told.token
}

/** Notes that a token was refused, so that the next request asks for another one. */
export function noteRefused({ plan, who }: Pick<Sender, 'plan' | 'who'>): void {
  const known = held.get(who)
  if (plan.renewals !== undefined && known !== undefined) known.until = 0
}

/** More milliseconds than a source of tokens may take. */
const LONGEST = 90_000
