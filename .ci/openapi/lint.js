// Prints what Redocly and Spectral have against OpenAPI documents, and fails if there is something:
// `node .ci/openapi/lint.js v1.json v2.json`.
import { readFileSync } from 'node:fs'
import { createConfig, lint } from '@redocly/openapi-core'
import spectral from '@stoplight/spectral-core'
import rulesets from '@stoplight/spectral-rulesets'

const redocly = await createConfig({
  extends: ['recommended-strict'],
  rules: {
    // Servers are the user's own, and every object is open.
    'no-server-example.com': 'off',
    'no-invalid-media-type-examples': { severity: 'error', allowAdditionalProperties: true },
  },
})
const linter = new spectral.Spectral()
linter.setRuleset({ extends: rulesets.oas })

function tell(problem) {
  console.log(problem)
  process.exitCode = 1
}

for (const file of process.argv.slice(2)) {
  for (const { ruleId, message, location } of await lint({ ref: file, config: redocly })) {
    tell(`redocly ${ruleId} ${file}${location[0]?.pointer}: ${message}`)
  }
  for (const { code, message, path } of await linter.run(readFileSync(file, 'utf8'))) {
    tell(`spectral ${code} ${file}#/${path.join('/')}: ${message}`)
  }
}
