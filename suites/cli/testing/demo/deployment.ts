import { defineDeployment } from '../../../../fixtures/deployments/definition/define.ts'
import embedded, { type EmbeddedAddresses } from '../../../../fixtures/deployments/embedded.ts'
import type { TenantWish } from '../../../../fixtures/ground/control.ts'
import { launchReference } from '../../../../fixtures/reference/thread.ts'
import { DAYS, dayName } from './variants.ts'

// The embedded deployment on one day of the demonstration: the last one, unless DEMO_DAY names another.

interface Addresses extends EmbeddedAddresses {
  variant: string
}

/** Starts the deployment; every company that a check mints has the faults of the day. */
export async function launch() {
  const variants = new URL('./variants.ts', import.meta.url).href
  const { baseUrl, controlUrl, stop } = await launchReference({ variants })
  return { values: { baseUrl, controlUrl, variant: dayName(Number(process.env.DEMO_DAY ?? DAYS)) }, stop }
}

/** The definition of the embedded deployment, with another name and control that mints companies with the faults. */
export default defineDeployment(({ variant, ...addresses }: Addresses) => {
  const stated = embedded(addresses)
  const mint = (wish: TenantWish) => stated.control.mint!({ ...wish, variant })
  return { ...stated, name: 'demo', control: { ...stated.control, mint } }
})
