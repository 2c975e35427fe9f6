import { once } from 'node:events'
import { httpControl } from '../../../fixtures/deployments/control/index.ts'
import type { Role } from '../../../fixtures/deployments/definition/index.ts'
import { launch } from '../../../fixtures/deployments/embedded.ts'
import { TOKENS } from '../../../fixtures/deployments/environment/index.ts'
import { ROLES, type TenantWish } from '../../../fixtures/ground/control.ts'
import { productIds } from '../../../fixtures/ground/products.ts'
import { commandLine } from '../../../fixtures/output/command-line.ts'
import { print, say } from '../../../fixtures/output/console.ts'
import { EXIT, type ExitCode, incomplete } from '../../../fixtures/run/failure.ts'

/** The tenant for each role, and the purpose of its credential. */
const TENANTS: Record<Role, { wish: TenantWish; is: string }> = {
  standard: { wish: {}, is: 'an ordinary partner in test mode' },
  otherCompany: { wish: {}, is: 'another company' },
  expendable: { wish: {}, is: 'to be driven past its rate limit' },
  live: {
    wish: { modes: { transfers: 'live', parkA: 'live', parkB: 'live', hotels: 'live' } },
    is: 'production mode',
  },
  resort: { wish: { features: { resortHotels: true } }, is: 'sells resort hotels A' },
  restricted: { wish: { features: { restrictedCatalog: true } }, is: 'a restricted catalog' },
  noVouchers: { wish: { features: { voucherDelivery: false } }, is: 'voucher delivery off' },
  sellsVouchers: { wish: { features: { sellsVouchers: true } }, is: 'sells vouchers of operator B' },
}

/** Runs the embedded deployment until it is interrupted. */
export async function serve({ port, controlPort }: { port: number; controlPort: number }): Promise<ExitCode> {
  const { values: reference, stop } = await launch({
    port,
    controlPort,
  }).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error)
    throw incomplete(`${reason}: give other ports with --port and --control-port, or 0 for free ones.`, {
      cause: error,
    })
  })
  const { mint } = httpControl(reference.controlUrl)
  const credentials = await Promise.all(
    ROLES.map(async role => {
      const { wish, is } = TENANTS[role]
      return { variable: TOKENS[role], is, token: (await mint!(wish)).token }
    }),
  )
  print(greeting(reference.baseUrl, reference.controlUrl, credentials))

  await Promise.race(['SIGINT', 'SIGTERM', 'SIGHUP'].map(signal => once(process, signal)))
  say('Stopping.')
  await stop()
  return EXIT.conforms
}

function greeting(
  baseUrl: string,
  controlUrl: string,
  credentials: readonly { variable: string; is: string; token: string }[],
): string {
  const [first] = credentials
  return `The embedded deployment is running.

  API       ${baseUrl}
  Controls  ${controlUrl}  (from this machine only)

Credentials that it knows, as a .env that ${commandLine('certify')} understands:

TSS_BASE_URL=${baseUrl}
TSS_CONTROL_URL=${controlUrl}
TSS_PRODUCTS=${productIds.join(',')}
TSS_TEST_PRODUCTS=v1-park-a,v1-park-b
TSS_LIMIT=500
TSS_FEATURES=resortHotels:no,restrictedCatalog:no,sellsVouchers:no,voucherDelivery:yes
${credentials.map(({ variable, token, is }) => `# ${is}\n${variable}=${token}`).join('\n')}

A first call:

  curl -i ${baseUrl}/api/v2/transfers/products -H 'Authorization: Bearer ${first?.token}'

Ctrl-C stops it.
`
}
