import { join } from 'node:path'
import { writeJson } from '../fixtures/output/files.ts'
import { kit } from '../fixtures/run/kit.ts'
import { toHar } from './har.ts'
import { RUN_FILES, readAllExchanges } from './read.ts'

/** Name of the file in a run's folder. */
export const HAR_FILE = 'traffic.har'

/** Writes what a run has stored as a HAR file into its folder. */
export async function writeHar(dir: string): Promise<void> {
  const stored = await readAllExchanges(join(dir, RUN_FILES.exchanges))
  await writeJson(join(dir, HAR_FILE), toHar(stored, kit))
}
