/** `2026-11-20T07:26:28.704013612Z`, or with an offset, and with any number of fractional digits. */
const RFC3339 = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d+)?(Z|[+-]\d\d:\d\d)$/

/**
 * Makes a function that turns RFC 3339 times into epoch milliseconds with as much of their fraction as a number holds
 * (a quarter of a microsecond); `NaN` for any other text. Fast for times of one second after another.
 */
export function createClockReader(): (text: string) => number {
  let second = ''
  let zone = ''
  let milliseconds = Number.NaN
  return text => {
    const parts = RFC3339.exec(text)
    if (parts === null) return Number.NaN
    if (parts[1] !== second || parts[3] !== zone) {
      second = parts[1]!
      zone = parts[3]!
      milliseconds = Date.parse(second + zone)
    }
    return parts[2] === undefined ? milliseconds : milliseconds + Number(parts[2]) * 1000
  }
}
