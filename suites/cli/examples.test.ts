import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Command } from 'commander'
import { expect, test } from 'vitest'
import { type Clause, whyUndecidable } from '../../fixtures/clauses/clause.ts'
import { CLAUSES } from '../../fixtures/clauses/index.ts'
import { variants } from '../../fixtures/deviants/index.ts'
import { situationNamed } from '../../fixtures/examine/situations/index.ts'
import { clausesNamed, select } from '../../fixtures/run/selection.ts'
import { SCENARIOS } from '../../load/plan/plan.ts'
import { program } from './program.ts'
import { GUIDES, textOf } from './testing/guides.ts'

/** Files that people read or copy from. */
const READ = [
  ...GUIDES,
  'CONTRIBUTING.md',
  'suites/cli/templates/github-workflow.yml',
  'suites/cli/templates/gitlab-job.yml',
]

/** The examples in every command's help, and every call in the guides. */
const examples = [
  ...program.commands.flatMap(command => {
    let help = ''
    command.configureOutput({
      writeOut: text => {
        help += text
      },
    })
    command.outputHelp()
    return linesOf(help.slice(help.indexOf('Examples:')))
  }),
  ...READ.flatMap(file => [
    ...linesOf(textOf(file)),
    ...[...textOf(file).matchAll(/`(?:npx )?(travel-sales(?:-conformance)? [a-z-]+ [^`]*)`/g)].map(
      ([, call]) => call!,
    ),
  ]),
]
  // Lines with placeholders are not examples.
  .filter(line => !/<[a-z ]+>|…/.test(line))

function linesOf(text: string): string[] {
  return [
    ...text.matchAll(/^ *(?:- (?:run: )?|\$ )?(?:npx )?(travel-sales(?:-conformance)? [a-z].*)$/gm),
  ].map(([, call]) => call!)
}

/** Returns the words of a call as a shell would pass them, up to a comment, a pipe or a redirection. */
function wordsOf(line: string): string[] {
  const [call = ''] = line.split(/\s+(?:#\s|\||>|&)/)
  return [...call.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare!)
}

test('examples are found', () => {
  expect(examples.length).toBeGreaterThan(30)
  for (const name of program.commands.map(command => command.name()))
    expect(examples.filter(line => line.startsWith(`travel-sales ${name}`)).length, name).toBeGreaterThan(0)
})

test.each(examples)('%s', async line => {
  const [, ...args] = wordsOf(line)
  const command = program.commands.find(each => each.name() === args[0])!
  expect(command, line).toBeInstanceOf(Command)
  const called: { args: readonly string[]; options: Record<string, unknown> }[] = []
  command.action(() => void called.push({ args: command.args, options: command.opts() }))
  await program.parseAsync(args, { from: 'user' })
  expect(called).toHaveLength(1)

  const [{ args: operands, options }] = called as [(typeof called)[0]]
  if (typeof options.only === 'string') {
    const names = Object.fromEntries(Object.keys(variants).map(id => [id, []]))
    expect(select(options.only, CLAUSES, names).tags).not.toBe('')
  }
  const isSituation = args[0] === 'explain' && situationNamed(operands[0]!) !== undefined
  if ((args[0] === 'explain' && !isSituation) || args[0] === 'replay')
    expect(clausesNamed(operands[0]!.split('#')[0]!, CLAUSES).length).toBeGreaterThan(0)
  for (const scenario of (options.scenario as string[] | undefined) ?? [])
    expect(SCENARIOS).toContain(scenario)
  if (args[0] === 'load' && options.variant !== undefined)
    expect(Object.keys(variants)).toContain(options.variant)
})

test('the guide to definitions counts the clauses that need something', () => {
  const rows = Object.values(CLAUSES as Readonly<Record<string, Clause>>).filter(
    row => row.side !== 'client' && whyUndecidable(row) === undefined,
  )
  const needing = (...needs: readonly string[]): number =>
    needs.reduce(
      (sum, need) => sum + rows.filter(row => (row.needs ?? []).some(one => one === need)).length,
      0,
    )
  const guide = textOf('fixtures/README.md')
  const table = guide.slice(
    guide.indexOf('| Give | Clauses |'),
    guide.indexOf('## Messages and what to write'),
  )
  expect([...table.matchAll(/^\| .* \| (\d+) \|/gm)].map(([, count]) => Number(count))).toEqual([
    needing('role:otherCompany'),
    needing('mode:test'),
    needing('role:expendable'),
    needing('role:resort', 'role:restricted', 'role:noVouchers', 'role:sellsVouchers'),
    needing('mode:live', 'role:live'),
    needing('control:outcome'),
    needing('control:price'),
    needing('control:stock', 'control:offers', 'control:vouchers'),
    needing('control:clock', 'time'),
    needing('control:counters'),
    needing('control:mint'),
  ])
  const [without, all] = [rows.filter(({ needs = [] }) => needs.length === 0).length, rows.length]
  expect(guide).toContain(
    `Of ${all.toLocaleString('en')} clauses about deployments, ${without} need one test credential`,
  )
})

/** Returns the sources of messages, without tests, as one text. */
function sourcesOfMessages(): string {
  const root = fileURLToPath(new URL('../../', import.meta.url))
  return ['fixtures', 'suites/cli']
    .flatMap(folder =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(file =>
        join(root, folder, file),
      ),
    )
    .filter(file => file.endsWith('.ts') && !/\.test\.|\btesting\b/.test(file))
    .map(file => readFileSync(file, 'utf8'))
    .join('\n')
}

test('every message in the guide to definitions is one of the kit', () => {
  const guide = textOf('fixtures/README.md')
  const part = guide.slice(guide.indexOf('## Messages and what to write'), guide.indexOf('## Example: v1'))
  const messages = [...part.matchAll(/^\| (`.*?) \| /gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, message = '']) => message),
  )
  expect(messages.length).toBeGreaterThan(50)
  const sources = sourcesOfMessages()
  // Dots stand for values.
  const fragments = messages
    .flatMap(message => message.split('…'))
    .map(text => text.replace(/^[ ,;:(.]+|[ ,;:(.]+$/g, ''))
  expect(fragments.filter(text => text.length > 8 && !sources.includes(text))).toEqual([])
})
