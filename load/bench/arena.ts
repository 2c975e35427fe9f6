import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Control, Tenant } from '../../fixtures/deployments/control.ts'
import { httpControl } from '../../fixtures/deployments/http-control.ts'

/** The embedded deployment in a process of its own, so that nobody's processor time is mixed with its own. */
export interface Arena {
  baseUrl: string
  control: Required<Control>
  close(): void
}

/** Path of the command. */
export const TSS = fileURLToPath(new URL('../../suites/cli/tss.js', import.meta.url))

/** Starts `tss serve` on free ports. @throws Error with what it said, where it does not start */
export async function openArena(): Promise<Arena> {
  const server = spawn(process.execPath, [TSS, 'serve', '--port', '0', '--control-port', '0'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const close = () => server.kill('SIGTERM')
  process.once('exit', close)
  const [, baseUrl, controlUrl] = await new Promise<RegExpExecArray>((resolve, reject) => {
    let said = ''
    for (const stream of [server.stdout, server.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        said += text
        const addresses = /API\s+(\S+)\s+Controls\s+(\S+)/.exec(said)
        if (addresses !== null) resolve(addresses)
      })
    }
    server.once('error', reject)
    server.once('exit', code => reject(new Error(`tss serve ended with ${code}: ${said}`)))
  })
  return { baseUrl: baseUrl!, control: httpControl(controlUrl!) as Required<Control>, close }
}

/** Requests that the deployment counted for some companies, and what they have booked. */
export async function countedFor(
  { control }: Arena,
  tenants: readonly Tenant[],
): Promise<{ requests: number; bookings: number }> {
  const all = await Promise.all(tenants.map(({ tenant }) => control.counters(tenant)))
  const sum = (counts: Record<string, number>) =>
    Object.values(counts).reduce((total, count) => total + count, 0)
  return {
    requests: all.reduce((total, { requests }) => total + sum(requests), 0),
    bookings: all.reduce((total, { bookings }) => total + sum(bookings), 0),
  }
}
