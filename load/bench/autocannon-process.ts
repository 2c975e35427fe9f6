import { readFileSync } from 'node:fs'
import autocannon from 'autocannon'
import type { Job } from './autocannon.ts'

// A process of its own, so that what it costs is its own.
const { tokens, requests, ...options }: Job = JSON.parse(readFileSync(process.argv[2]!, 'utf8'))

let client = 0

const result = await autocannon({
  ...options,
  ...(options.overallRate === undefined ? {} : { ignoreCoordinatedOmission: true }),
  setupClient(connection) {
    const own = tokens.filter((_, index) => index % options.connections === client % options.connections)
    // Each begins somewhere else, or all would make the same call at the same time.
    const start = client++ % requests.length
    const calls = [...requests.slice(start), ...requests.slice(0, start)]
    connection.setRequests(
      own.flatMap(token =>
        calls.map(call => ({
          ...call,
          headers: {
            authorization: `Bearer ${token}`,
            accept: 'application/json',
            'accept-encoding': 'gzip',
            'content-type': 'application/json',
          },
        })),
      ),
    )
  },
})
process.stdout.write(JSON.stringify(result))
