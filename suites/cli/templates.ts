import { readFile } from 'node:fs/promises'

/** The files for CI that come with the kit, by the name that `travel-sales init --ci` takes. */
const TEMPLATES = {
  github: 'github-workflow.yml',
  gitlab: 'gitlab-job.yml',
  container: 'Containerfile',
} as const

export type Template = keyof typeof TEMPLATES

export async function template(name: Template): Promise<string> {
  // The templates are shipped in the source folder, while compiled code lies in dist/suites/cli.
  const folder = new URL(
    import.meta.url.endsWith('.ts') ? './templates/' : '../../../suites/cli/templates/',
    import.meta.url,
  )
  return readFile(new URL(TEMPLATES[name], folder), 'utf8')
}
