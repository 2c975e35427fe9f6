import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The guides that the package ships, in the order in which they are read. */
export const GUIDES = [
  'README.md',
  'fixtures/README.md',
  'reports/README.md',
  'fixtures/examine/README.md',
  'load/README.md',
  'suites/README.md',
  'fixtures/reference/README.md',
] as const

/** The text of a file of the repository. */
export const textOf = (file: string): string =>
  readFileSync(fileURLToPath(new URL(`../../../${file}`, import.meta.url)), 'utf8')

/** The blocks of a language in a guide, without the indentation of the list that they stand in. */
export const blocksOf = (file: string, language: string): string[] =>
  [...textOf(file).matchAll(new RegExp(`^( *)\`\`\`${language}\\n([\\s\\S]*?)^ *\`\`\`$`, 'gm'))].map(
    ([, indent = '', block = '']) => block.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  )

/** The commands of the kit and of npm that guides print, each once, as a shell takes them. */
export const commandsOf = (file: string): string[] => [
  ...new Set(
    blocksOf(file, 'sh')
      .flatMap(block => block.split('\n'))
      .map(line => line.replace(/\s+#.*$/, ''))
      .filter(line => /^(?:npx|npm|mkdir) /.test(line)),
  ),
]

/** Headings of a guide, as links name them. */
export const anchorsOf = (text: string): string[] =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
