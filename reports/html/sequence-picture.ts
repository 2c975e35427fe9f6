import { count } from '../render/plain.ts'
import { html, type Markup } from './markup.ts'
import type { Between, Step } from './sequence.ts'

/** The width of a picture in its own units, which are pixels on a phone. */
const WIDTH = 360
/** The lines of the client and of the deployment. */
const CLIENT = 16
const SERVER = WIDTH - 12
/** Where texts begin. */
const TEXT = 36
/** How many letters fit between them: in the font of code, in the other, and in small. */
const CODE = 43
const WORDS = 44
const SMALL = 52

/** A part of a picture, and the height that it takes. */
interface Drawn {
  height: number
  drawing: Markup
}

/**
 * Draws the exchanges of a finding one below the other between client and deployment, with the calls of control between them.
 * The last one, which shows the fault, is marked, with what was expected instead.
 */
export function sequencePicture(steps: readonly (Step | Between)[], expected: string | undefined): Markup {
  const sent = steps.filter(one => one.kind === 'exchange')
  if (sent.length === 0) return html``
  let y = TOP
  const parts = steps.map(step => {
    const { height, drawing } = drawn(step, expected)
    const part = html`<g transform="translate(0 ${y})">${drawing}</g>\n`
    y += height
    return part
  })
  const height = y + 8
  return html`<svg class="sequence" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${told(steps, expected)}">
<path class="life" d="M${CLIENT} 22V${height}M${SERVER} 22V${height}"/>
<text class="end" x="4" y="14">client</text><text class="end" x="${WIDTH - 2}" y="14" text-anchor="end">deployment</text>
${parts}</svg>`
}

const TOP = 30

function drawn(step: Step | Between, expected: string | undefined): Drawn {
  return step.kind === 'exchange' ? exchange(step, expected) : note(step)
}

function note({ kind, text }: Between): Drawn {
  const said = kind === 'control' ? `control: ${text}` : `… ${text}`
  const line = kind === 'control' ? html`<path class="control" d="M${CLIENT} 9H${SERVER}"/>` : undefined
  const shown = cut(said, SMALL)
  const width = Math.min(SERVER - CLIENT - 8, shown.length * 6.2 + 12)
  return {
    height: 26,
    drawing: html`${line}<rect class="paper" x="${Math.round((WIDTH - width) / 2)}" y="0" width="${Math.round(width)}" height="18"/><text class="soft" x="${WIDTH / 2}" y="13" text-anchor="middle">${shown}${said === shown ? undefined : html`<title>${said}</title>`}</text>`,
  }
}

function exchange(
  { number, who, method, path, known, status, shows, guilty }: Step,
  expected?: string,
): Drawn {
  const soft = [...(who === 'standard' ? [] : [`as ${who}`]), ...(known === undefined ? [] : [known])].join(
    ', ',
  )
  // The request, what was known of it, the answer, and what was expected instead: one line each.
  const asked = soft === '' ? 22 : 38
  const answered = asked + 27
  const wanted = guilty && expected !== undefined ? answered + 18 : answered
  const answer = cut(shows === undefined ? status : `${status} ${shows}`, WORDS - 2)
  return {
    height: wanted + 17,
    drawing: html`${guilty ? html`<rect class="guilty" x="0" y="-4" width="${WIDTH}" height="${wanted + 15}" rx="4"/>` : undefined}<text class="asks" x="${TEXT}" y="13">${cutPath(`${method} ${path}`)}</text>
${soft === '' ? undefined : html`<text class="soft" x="${TEXT}" y="29">${cut(soft, SMALL - 2)}</text>`}<path class="way" d="M${CLIENT} ${asked}H${SERVER - 8}"/><path class="tip" d="M${SERVER} ${asked}l-9 -4v8z"/>
<text class="answer${guilty ? ' broken' : ''}" x="${TEXT}" y="${answered - 7}">${guilty ? '✕ ' : ''}${answer}</text><path class="way back${guilty ? ' broken' : ''}" d="M${SERVER} ${answered}H${CLIENT + 8}"/><path class="tip${guilty ? ' broken' : ''}" d="M${CLIENT} ${answered}l9 -4v8z"/>
${wanted === answered ? undefined : html`<text class="wanted" x="${TEXT}" y="${wanted - 2}">${cut(`expected ${expected}`, WORDS)}</text>`}<circle class="step" cx="${CLIENT}" cy="9" r="9"/><text class="step" x="${CLIENT}" y="13" text-anchor="middle">${number}</text>`,
  }
}

/** Shortens a text to a number of letters. */
const cut = (text: string, most: number): string => {
  const line = text.replaceAll(/\s+/g, ' ')
  return line.length <= most ? line : `${line.slice(0, most - 1).trimEnd()}…`
}

/** Shortens a request in the middle, since both ends of a path tell what it is. */
function cutPath(text: string): string {
  if (text.length <= CODE) return text
  const end = 20
  return `${text.slice(0, CODE - end - 1)}…${text.slice(-end)}`
}

/** Returns the picture in words. */
function told(steps: readonly (Step | Between)[], expected: string | undefined): string {
  const sent = steps.filter(one => one.kind === 'exchange').length
  const lines = steps.map(step => {
    if (step.kind !== 'exchange') return step.text
    const { number, who, method, path, known, status, shows, guilty } = step
    const answer = [status, shows].filter(text => text !== undefined).join(' ')
    const asked = `${number}, as ${who}: ${method} ${cut(path, 80)}${known === undefined ? '' : `, ${known}`}`
    const fault = !guilty
      ? ''
      : expected === undefined
        ? ', the fault'
        : `, the fault: expected ${cut(expected, 120)}`
    return `${asked}, answered ${answer}${fault}`
  })
  return `${count(sent, 'exchange')} in the order sent. ${lines.join('. ')}.`
}
