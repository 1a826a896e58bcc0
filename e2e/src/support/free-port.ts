import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** The system gives ports from 32768 to programs that ask for any, so one of these is still free when the product starts a minute later. */
const [MIN_PORT, MAX_PORT] = [10_000, 30_000]

/** The first of this many consecutive TCP ports of 127.0.0.1 that are free now. */
export const findFreePorts = async (count: number): Promise<number> => {
  const first = randomInt(MIN_PORT, MAX_PORT)
  for (let port = first; port < first + count; port++) if (!(await isFree(port))) return findFreePorts(count)
  return first
}

const isFree = async (port: number): Promise<boolean> => {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch {
    return false
  }
  server.close()
  await once(server, 'close')
  return true
}
