import type { History } from '../history/history.ts'
import type { Site, Target } from './site.ts'

/**
 * Reads what a page shows and returns the page; `undefined` where the history has no such run, check or clause. All that
 * a server has to do is to find the target of an address.
 */
export async function render(_target: Target, _history: History, _site: Site): Promise<string | undefined> {
  return undefined
}
