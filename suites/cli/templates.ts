import { readFile } from 'node:fs/promises'

/** Files for CI that come with the kit, by the name that `travel-sales init --ci` takes. */
export const TEMPLATES = {
  github: 'github-workflow.yml',
  gitlab: 'gitlab-job.yml',
  container: 'Containerfile',
} as const

export type Template = keyof typeof TEMPLATES

/** Returns the text of a file for CI. */
export async function template(name: Template): Promise<string> {
  // The folder is shipped beside the command as it stands in the repository; what is compiled lies in dist/suites/cli.
  const folder = new URL(
    import.meta.url.endsWith('.ts') ? './templates/' : '../../../suites/cli/templates/',
    import.meta.url,
  )
  return readFile(new URL(TEMPLATES[name], folder), 'utf8')
}
