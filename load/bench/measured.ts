import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** A program under another name that leaves behind the processor time that it took: a shell counts it everywhere. */
export function measured(program: string, dir: string): { path: string; seconds(): number } {
  const [path, times] = [join(dir, 'measured'), join(dir, 'times')]
  const script = ['#!/bin/sh', `${quote(program)} "$@"`, 'code=$?', `times > ${quote(times)}`, 'exit $code']
  writeFileSync(path, `${script.join('\n')}\n`)
  chmodSync(path, 0o700)
  return { path, seconds: () => secondsOfChildren(readFileSync(times, 'utf8')) }
}

/** Returns the second line of `times` is of the children, user and system: `0m1.230s 0m0.120s`. */
function secondsOfChildren(times: string): number {
  const parts = [...(times.split('\n')[1] ?? '').matchAll(/(\d+)m([\d.,]+)s/g)]
  return parts.reduce(
    (sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds?.replace(',', '.')),
    0,
  )
}
