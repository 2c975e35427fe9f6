import { incomplete } from '../../fixtures/run/failure.ts'

/** Returns an error that says what to do about a port that is not available; others are returned as they are. */
export function portTaken(error: unknown): unknown {
  const { code, syscall, port } = error as NodeJS.ErrnoException & { port?: number }
  if (syscall !== 'listen') return error
  return incomplete(
    `Port ${port} cannot be listened on (${code}): give another with --port, or 0 for a free one.`,
    { cause: error },
  )
}
