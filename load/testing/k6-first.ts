import { findK6 } from '../k6/index.ts'

/** Finds or builds k6 once, before several test files look for it at the same time. Those that need it say why there is none. */
export async function setup(): Promise<void> {
  await findK6({ onProgress: line => console.log(line) }).catch(() => {})
}
