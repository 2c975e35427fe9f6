import { constants } from 'node:os'

const LOOK_EVERY = 1000

/**
 * Ends this process with whoever started it, as a terminal does that is closed: what handles SIGHUP cleans up. The
 * launcher holds a channel that closes however it ends. Under npm, whose death tells nobody, its place in the process
 * table is looked at. Any other parent may end before its child.
 */
export function endWithParent(): void {
  if (process.channel) {
    process.once('disconnect', hangUp)
    // It tells of the end of the launcher, and is nothing to wait for.
    process.channel.unref()
  } else if (process.env.npm_lifecycle_event !== undefined) {
    const parent = process.ppid
    const timer = setInterval(() => {
      if (process.ppid === parent) return
      clearInterval(timer)
      hangUp()
    }, LOOK_EVERY).unref()
  }
}

function hangUp(): void {
  if (!process.emit('SIGHUP', 'SIGHUP')) process.exit(128 + constants.signals.SIGHUP)
}
