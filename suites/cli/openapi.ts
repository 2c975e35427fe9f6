import { stringify } from 'yaml'
import { print, printJson } from '../../fixtures/output/console.ts'
import { EXIT, type ExitCode } from '../../fixtures/run/failure.ts'
import { kit } from '../../fixtures/run/kit.ts'
import { openApi } from '../../fixtures/service/openapi/index.ts'

/** Options of `travel-sales openapi`, as they were given. */
export interface OpenApiOptions {
  version?: 'v1' | 'v2'
  json?: boolean
}

/** Prints the service as OpenAPI 3.1. */
export function openapi({ version, json }: OpenApiOptions): ExitCode {
  const document = openApi({ version, kit: kit.version })
  if (json) printJson(document)
  else print(stringify(document, { aliasDuplicateObjects: false, lineWidth: 110 }))
  return EXIT.conforms
}
