import { readdirSync, readFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'

/** Node's name for the threads on which passwords are hashed. */
const POOL = 'libuv-worker'
const TASKS = '/proc/self/task'

/**
 * Lets everything else on the machine go before the threads that hash: a page need not wait behind sign-ins. Where the system does not
 * show its threads (anything but Linux) or does not allow it, nothing changes.
 */
export const giveWay = (): void => {
  try {
    for (const id of readdirSync(TASKS))
      if (readFileSync(`${TASKS}/${id}/comm`, 'utf8').trim() === POOL) setPriority(Number(id), constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // Not ours to give: they stay as they are.
  }
}
