import { stringify } from 'yaml'
import { print, printJson } from '../../../fixtures/output/console.ts'
import { EXIT, type ExitCode } from '../../../fixtures/run/failure.ts'
import { kit } from '../../../fixtures/run/kit.ts'
import { openApi } from '../../../fixtures/service/openapi/index.ts'
import { collection } from '../../../fixtures/service/openapi/operations.ts'

/** Prints the service as OpenAPI 3.1, or as a collection for graphical clients. */
export function openapi(options: {
  version?: 'v1' | 'v2'
  json?: boolean
  collection?: boolean
  links?: boolean
}): ExitCode {
  const { version, json, links, collection: asCollection } = options
  if (asCollection) {
    printJson(collection({ version }))
    return EXIT.conforms
  }
  const document = openApi({ version, links, kit: kit.version })
  if (json) printJson(document)
  else print(stringify(document, { aliasDuplicateObjects: false, lineWidth: 110, compat: 'yaml-1.1' }))
  return EXIT.conforms
}
