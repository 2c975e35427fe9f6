import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The guides that the package ships, in reading order. */
export const GUIDES = [
  'README.md',
  'fixtures/README.md',
  'reports/README.md',
  'reports/gate/README.md',
  'reports/reference.md',
  'fixtures/service/openapi/README.md',
  'fixtures/examine/README.md',
  'fixtures/watch/README.md',
  'load/README.md',
  'suites/README.md',
  'fixtures/reference/README.md',
] as const

export const textOf = (file: string): string =>
  readFileSync(fileURLToPath(new URL(`../../../${file}`, import.meta.url)), 'utf8')

/** Returns the code blocks of a language in a guide, without the indentation of a list around them. */
export const blocksOf = (file: string, language: string): string[] =>
  [...textOf(file).matchAll(new RegExp(`^( *)\`\`\`${language}\\n([\\s\\S]*?)^ *\`\`\`$`, 'gm'))].map(
    ([, indent = '', block = '']) => block.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  )

/** Returns the distinct commands of the kit and of npm that a guide prints, as a shell takes them. */
export const commandsOf = (file: string): string[] => [
  ...new Set(
    blocksOf(file, 'sh')
      .flatMap(block => block.split('\n'))
      .map(line => line.replace(/\s+#.*$/, ''))
      .filter(line => /^(?:npx|npm|mkdir) /.test(line)),
  ),
]

/** Returns the anchors of the headings of a guide. */
export const anchorsOf = (text: string): string[] =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
