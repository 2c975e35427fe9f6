import { readFile } from 'node:fs/promises'
import { dirname, extname, join, relative, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { headersIn, headerVariable } from '../../../fixtures/deployments/address/index.ts'
import {
  completeDefinition,
  type Deployment,
  learnDeployment,
  type Role,
  type Tls,
} from '../../../fixtures/deployments/definition/index.ts'
import {
  isFromSource,
  namedEnvFile,
  readDotEnv,
  readerOf,
  refuseUnconfirmedAddress,
  TOKENS,
} from '../../../fixtures/deployments/environment/index.ts'
import { unverified } from '../../../fixtures/deployments/loading/index.ts'
import { type Product, ROLES } from '../../../fixtures/ground/control.ts'
import { isProductId, productIds, productOf } from '../../../fixtures/ground/products.ts'
import { commandLine } from '../../../fixtures/output/command-line.ts'
import { print, say, watched } from '../../../fixtures/output/console.ts'
import { definitionText, undecided } from '../../../fixtures/run/explore/definition-text.ts'
import { type Explored, explore, whyNotExplorable } from '../../../fixtures/run/explore/explore.ts'
import { EXIT, type ExitCode, Failure, incomplete, wrongCall } from '../../../fixtures/run/failure.ts'
import { oneLine } from '../../../reports/render/plain.ts'
import { exists, makeSureOf, showsDotEnv, writeCredentials, writeNew } from './init-files.ts'

/** The files for CI that come with the kit, by the name that `travel-sales init --ci` takes. */
const TEMPLATES = {
  github: 'github-workflow.yml',
  gitlab: 'gitlab-job.yml',
  container: 'Containerfile',
} as const

type Template = keyof typeof TEMPLATES

export async function template(name: Template): Promise<string> {
  // The templates are shipped in the source folder, while compiled code lies in dist/suites/cli.
  const folder = new URL(
    import.meta.url.endsWith('.ts') ? '../templates/' : '../../../../suites/cli/templates/',
    import.meta.url,
  )
  return readFile(new URL(TEMPLATES[name], folder), 'utf8')
}

interface InitOptions {
  baseUrl?: string
  file: string
  products?: string[]
  ci?: Template
}

/** The given credentials, by role. */
type Tokens = Partial<Record<Role, string>>

/**
 * Asks a deployment for one answer of each kind, and writes a definition from them and a `.env` with the given credentials.
 * Only reads, books nothing, and overwrites nothing.
 *
 * @throws {DefinitionError} if an address or a credential cannot be sent
 * @throws {Failure} 2 for a wrong call or an existing file, 3 if the deployment cannot be explored
 */
export async function init(options: InitOptions): Promise<ExitCode> {
  if (options.ci !== undefined) {
    print(await template(options.ci))
    return EXIT.conforms
  }
  const file = resolve(options.file)
  if (!/^\.m?ts$/.test(extname(file)))
    throw wrongCall(
      `--file ${options.file} is not TypeScript, which the kit runs by itself: let it end in .ts or .mts.`,
    )
  const wanted = productsNamed('--products', options.products) ?? productIds
  readDotEnv()
  if (options.baseUrl === undefined) refuseUnconfirmedAddress()
  await makeSureOf(file)

  const terminal = process.stdin.isTTY && watched.isTTY ? questions : undefined
  const { tokens, baseUrl, asked } = await whereAndWho(options, terminal)
  const tls = readerOf(process.env).tls()
  const deployment = completeDefinition(
    {
      ...(tls && { tls }),
      name: new URL(baseUrl).hostname,
      baseUrl,
      products: wanted,
      headers: headersIn(process.env),
      credentials: Object.fromEntries(Object.entries(tokens).map(([role, token]) => [role, { token }])),
    },
    'What init was given',
  )
  learnDeployment(deployment)
  for (const sentence of unverified()) say(sentence)
  const explored = await exploreOrSay(deployment, wanted)
  const testProducts = await inTestMode(explored, terminal)
  const hasControl = (process.env.TSS_CONTROL_URL ?? '') !== ''
  const text = definitionText({
    ...explored,
    name: deployment.name,
    baseUrl: deployment.baseUrl,
    roles: ROLES.filter(role => tokens[role] !== undefined),
    headers: Object.keys(deployment.headers),
    testKinds: [...new Set(testProducts.flatMap(product => productOf(product).kinds))],
    hasControl,
    tls: Object.keys(tls ?? {}) as (keyof Tls)[],
  })
  await writeNew(file, text)
  const dotEnv = await keep(tokens, asked)
  print(await tell(file, explored, dotEnv))
  return EXIT.conforms
}

interface WhereAndWho {
  baseUrl: string
  tokens: Tokens
  /** Whether a credential was typed in. */
  asked: boolean
}

async function whereAndWho(
  { baseUrl: given }: InitOptions,
  terminal: Questions | undefined,
): Promise<WhereAndWho> {
  const variable = (name: string) => (process.env[name] ?? '').trim()
  const baseUrl =
    given ??
    (variable('TSS_BASE_URL') ||
      (await terminal?.ask('Base address (what stands before /api/v1 and /api/v2):'))) ??
    ''
  if (baseUrl === '')
    throw wrongCall('init needs to know where the deployment is: give --base-url, or TSS_BASE_URL.')
  if (!URL.canParse(baseUrl))
    throw wrongCall('The base address is no address: write it like https://staging.example.com.')
  const tokens: Tokens = Object.fromEntries(
    ROLES.map(role => [role, variable(TOKENS[role])]).filter(([, token]) => token !== ''),
  )
  if (tokens.standard !== undefined) return { baseUrl, tokens, asked: false }
  if (terminal === undefined)
    throw wrongCall(
      'init needs a credential to read with: set TSS_TOKEN in the environment or in .env (never as an argument, which others can see), or run it in a terminal.',
    )
  if (namedEnvFile() !== undefined)
    throw wrongCall(
      `${namedEnvFile()} sets no TSS_TOKEN: add that line to it, or name another in TSS_ENV_FILE.`,
    )
  if (await exists(resolve('.env')))
    throw wrongCall(
      'There is a .env without TSS_TOKEN, and init overwrites nothing: add the line TSS_TOKEN=… to it.',
    )
  tokens.standard = await terminal.askHidden('Credential in test mode, as sent after Bearer (not shown):')
  const other = await terminal.askHidden(
    'Credential of another company, for tenancy (Enter for none; not shown):',
  )
  if (other !== '') tokens.otherCompany = other
  return { baseUrl, tokens, asked: true }
}

async function exploreOrSay(deployment: Deployment, products: readonly Product[]): Promise<Explored> {
  const obstacle = await whyNotExplorable(deployment)
  if (obstacle !== undefined) throw incomplete(`${obstacle} Nothing was written.`)
  const explored = await explore(deployment, { products, onProgress: what => say(`init: ${what} …`) })
  if (explored.products.some(({ unreached }) => unreached === undefined)) return explored
  const reasons = explored.products.map(({ product, unreached }) => `${product}: ${unreached}`)
  throw incomplete(
    oneLine(
      `No product can be read at ${deployment.baseUrl} with this credential, and nothing was written (${reasons.join('; ')}).`,
    ),
  )
}

/** Products whose answers never say whether a booking is a test. */
const TELL_NO_MODE = ['v1-park-a', 'v1-park-b'] as const

async function inTestMode({ products }: Explored, terminal: Questions | undefined): Promise<Product[]> {
  const given = productsNamed('TSS_TEST_PRODUCTS', process.env.TSS_TEST_PRODUCTS?.split(','))
  if (given !== undefined) return given
  const asking = TELL_NO_MODE.filter(one =>
    products.some(({ product, unreached }) => product === one && unreached === undefined),
  )
  if (asking.length === 0 || terminal === undefined) return []
  const answer = await terminal.ask(
    `Are these credentials surely in test mode for ${asking.join(' and ')}? (y/N)`,
  )
  return /^y(es)?$/i.test(answer) ? [...asking] : []
}

function productsNamed(option: string, given: readonly string[] | undefined): Product[] | undefined {
  const names = given?.map(name => name.trim()).filter(name => name !== '')
  if (names === undefined || names.length === 0) return undefined
  const unknown = names.find(name => !isProductId(name))
  if (unknown !== undefined)
    throw wrongCall(
      `${option} names ${oneLine(unknown)}, which is no product (products: ${productIds.join(', ')}).`,
    )
  return names.filter(isProductId)
}

/** Writes credentials that no file holds yet into `.env`; returns a sentence about it. */
async function keep(tokens: Tokens, asked: boolean): Promise<string> {
  const file = resolve('.env')
  if (!asked && namedEnvFile() !== undefined) return `${namedEnvFile()} was left as it is.`
  if (!asked && (await exists(file))) return 'The .env that is here was left as it is.'
  const given = [
    ...ROLES.flatMap(role =>
      tokens[role] === undefined || isFromSource(TOKENS[role]) ? [] : [[TOKENS[role], tokens[role]] as const],
    ),
    ...Object.entries(headersIn(process.env)).map(([name, value]) => [headerVariable(name), value] as const),
  ]
  if (given.length === 0)
    return 'No .env was written: the credentials come from the files and commands that the environment names.'
  const control = process.env.TSS_CONTROL_URL
  await writeCredentials(file, {
    ...Object.fromEntries(given),
    ...(control === undefined || control === '' ? {} : { TSS_CONTROL_URL: control }),
  })
  const hint = (await showsDotEnv(dirname(file))) ? ' Add .env to .gitignore: it holds credentials.' : ''
  return `Wrote .env with ${given.map(([variable]) => variable).join(', ')}, readable by you alone.${hint}`
}

async function tell(file: string, explored: Explored, dotEnv: string): Promise<string> {
  const open = undecided(explored)
  const shown = relative(process.cwd(), file)
  const path = shown.startsWith('..') ? file : `./${join(shown)}`
  return [
    `Wrote ${path}. Nothing was booked.`,
    ...unverified(),
    dotEnv,
    ...explored.products.map(({ product, unreached, adapters }) => {
      const found = adapters.filter(({ how }) => how === 'guess').map(({ name }) => name)
      if (unreached !== undefined) return `  ${product.padEnd(12)}  not claimed: ${unreached}`
      return `  ${product.padEnd(12)}  claimed${found.length === 0 ? '' : `; found by trying: ${found.join(', ')}`}`
    }),
    open.length === 0
      ? 'Every open shape was seen in a real answer.'
      : `To decide (look for DECIDE): ${open.map(({ part, name }) => `shapes.${part}.${name}`).join(', ')}.`,
    'Next:',
    `  ${commandLine('doctor', '--deployment', path)}`,
    `  ${commandLine('certify', '--deployment', path)}`,
    '',
  ]
    .map(line => oneLineOf(line))
    .join('\n')
}

/** Removes line ends from a line, and keeps its indentation. */
const oneLineOf = (line: string): string => `${/^ */.exec(line)![0]}${oneLine(line.trim())}`

/** Asks the user at a terminal, on stdin and stderr. Ctrl-D and Ctrl-C end with a `Failure` of exit code 130. */
interface Questions {
  ask(question: string): Promise<string>
  /** Asks for a credential without showing what is typed. */
  askHidden(question: string): Promise<string>
}

const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })

/** Questions on the terminal of this process. */
const questions: Questions = {
  ask: question => answerTo(question, false),
  askHidden: question => answerTo(question, true),
}

/** Reads a visible answer by line, as the terminal echoes it, and a hidden one key by key. */
async function answerTo(question: string, hidden: boolean): Promise<string> {
  watched.write(`${question} `)
  const lines = createInterface({
    input: process.stdin,
    terminal: hidden,
    ...(hidden && { output: nowhere }),
  })
  try {
    return await new Promise<string>((resolve, reject) => {
      lines.once('line', line => resolve(line.trim()))
      lines.once('SIGINT', () => lines.close())
      lines.once('close', () => reject(new Failure(EXIT.interrupted, 'Nothing was written.')))
    })
  } finally {
    lines.close()
    if (hidden) watched.write('\n')
  }
}
