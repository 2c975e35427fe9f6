import { Command } from 'commander'
import { expect, test } from 'vitest'
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
