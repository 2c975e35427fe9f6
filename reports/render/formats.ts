import { join } from 'node:path'
import type { RunRecord } from '../../fixtures/ground/record.ts'
import { writeJson } from '../../fixtures/output/files.ts'
import { kit } from '../../fixtures/run/kit.ts'
import { RUN_FILES, readAllExchanges } from '../folder/read.ts'
import { toCtrf } from './ctrf.ts'
import type { Format } from './format-names.ts'
import { toHar } from './har.ts'

/** A report file and the function that writes it. */
export interface FormatFile {
  name: string
  write(file: string, record: RunRecord, dir: string): Promise<unknown>
}

/** The files of each format. */
export const FORMAT_FILES: Readonly<Record<Format, readonly FormatFile[]>> = {
  ctrf: [{ name: 'ctrf-report.json', write: (file, record) => writeJson(file, toCtrf(record)) }],
  har: [
    {
      name: 'traffic.har',
      write: async (file, _, dir) =>
        writeJson(file, toHar(await readAllExchanges(join(dir, RUN_FILES.exchanges)), kit)),
    },
  ],
}
