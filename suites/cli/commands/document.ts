import { Option } from 'commander'
import { command, exitsWith } from './command.ts'

export const explain = command(
  'explain',
  'say what a clause asks, how it is checked, and what a run found',
  `explain V2-IDEM-REPLAY-STATUS
   explain 'V2-IDEM-*'
   explain V2-IDEM-REPLAY-STATUS --run reports/out/20270901T101500-1734`,
)
  .alias('clauses')
  .argument(
    '[clause]',
    'a clause, an area, a prefix (V2-IDEM-*), several with and, or, not, or a situation of clients (default: a line for each clause)',
  )
  .option('--run <dir>', 'folder of a run (default: the newest one under reports/out)')
  .action(
    exitsWith(async (clause, options) => (await import('../document/explain.ts')).explain(clause, options)),
  )

export const openapi = command(
  'openapi',
  'print the service as an OpenAPI 3.1 document',
  `openapi > travel-sales-service.yaml
   openapi --version v2 --json | jq .paths
   openapi --links > stateful.yaml
   openapi --collection > postman.json`,
)
  .addOption(new Option('--version <version>', 'only that API version').choices(['v1', 'v2']))
  .option('--json', 'print JSON in place of YAML')
  .option('--links', 'for tools that test: links with whole bodies, and words in no other writing')
  .option('--collection', 'print a collection for Postman, Bruno or Insomnia, with bodies filled in')
  .action(exitsWith(async options => (await import('../document/openapi.ts')).openapi(options)))
