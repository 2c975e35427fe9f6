// Writes the types of an OpenAPI document: `node .ci/openapi/types.js v2.json generated.ts`.
import { readFileSync, writeFileSync } from 'node:fs'
import openapiTS, { astToString } from 'openapi-typescript'

const [document, types] = process.argv.slice(2)
writeFileSync(types, astToString(await openapiTS(JSON.parse(readFileSync(document, 'utf8')))))
