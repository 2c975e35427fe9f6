import { readFileSync } from 'node:fs'

const EVERY = 50

/** Measures the memory of a process and its children. */
interface PeakMemory {
  /** Stops measuring. @returns the most resident bytes of all processes together; `undefined` if there is no /proc */
  stop(): number | undefined
}

export function watchMemory(pid: number): PeakMemory {
  const peaks = new Map<number, number>()
  const look = () => {
    for (const one of family(pid)) peaks.set(one, Math.max(peaks.get(one) ?? 0, peakOf(one) ?? 0))
  }
  const timer = setInterval(look, EVERY)
  look()
  return {
    stop() {
      clearInterval(timer)
      const total = [...peaks.values()].reduce((sum, peak) => sum + peak, 0)
      return total === 0 ? undefined : total
    },
  }
}

function family(pid: number): number[] {
  const children = read(`/proc/${pid}/task/${pid}/children`)?.split(' ').filter(Boolean).map(Number) ?? []
  return [pid, ...children.flatMap(family)]
}

function peakOf(pid: number): number | undefined {
  const kilobytes = /^VmHWM:\s+(\d+) kB/m.exec(read(`/proc/${pid}/status`) ?? '')?.[1]
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1024
}

/** Reads a file; a process may have ended since. */
function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
