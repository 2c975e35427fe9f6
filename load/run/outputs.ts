interface Output {
  /** The variables that k6 reads for it. */
  variables: RegExp
  /** What k6 logs if it cannot send; it goes on all the same. */
  failed: RegExp
}

/**
 * k6's own outputs that send a run elsewhere while it goes on. Those to files are not among them.
 * That to the cloud of Grafana is not, because k6 sends its script there.
 */
const OUTPUTS = {
  'experimental-prometheus-rw': {
    variables: /^K6_PROMETHEUS_RW_/,
    failed: /^Failed to send the time series data\b.*/m,
  },
  opentelemetry: {
    variables: /^K6_OTEL_/,
    failed: /^(?:can't shutdown OpenTelemetry|failed to (?:upload|export) metrics)\b.*/im,
  },
  influxdb: { variables: /^K6_INFLUXDB_/, failed: /^(?:Couldn't write stats|InfluxDB: .*)/m },
} as const satisfies Record<string, Output>

export type OutputName = keyof typeof OUTPUTS
export const OUTPUT_NAMES = Object.keys(OUTPUTS) as OutputName[]

/** Where k6 sends a run while it goes on. */
export interface Outputs {
  names: readonly OutputName[]
  /** The name of the run, which everything carries as `testid`, as dashboards for k6 expect it. */
  testid: string
}

const NONE: Outputs = { names: [], testid: '' }

/** Returns the options of k6 for outputs. */
export const optionsFor = ({ names, testid }: Outputs = NONE): string[] =>
  names.length === 0 ? [] : [...names.map(name => `--out=${name}`), `--tag=testid=${testid}`]

/** Returns the variables of k6 for outputs, and nothing else of an environment. */
export const variablesFor = (
  { names }: Outputs = NONE,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Record<string, string | undefined> =>
  Object.fromEntries(
    Object.entries(env).filter(([name]) => names.some(output => OUTPUTS[output].variables.test(name))),
  )

/** Returns a sentence for each output that did not take everything, by the log of k6. */
export const notSent = ({ names }: Outputs = NONE, log = ''): string[] =>
  names.flatMap(name => {
    const [said] = OUTPUTS[name].failed.exec(log) ?? []
    return said === undefined
      ? []
      : [`${name} lacks a part of this run, which is judged all the same: k6 said "${said}".`]
  })
