import { once } from 'node:events'
import { randomInt } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { type ServerSettings, startServer } from './killed-servers.ts'
import type { Relay } from './relay.ts'

type Server = Awaited<ReturnType<typeof startServer>>

/**
 * Runs two servers on one database behind the relay, and kills one or the other every few seconds until the work is done.
 * @returns how many were killed
 */
export const runKilledPair = async (settings: ServerSettings, relay: Relay, work: () => Promise<unknown>): Promise<number> => {
  const start = async (name: string): Promise<Server> => {
    const folder = join(settings['DATA_DIR'] ?? '', name)
    await mkdir(folder, { recursive: true })
    return startServer({ ...settings, DATA_DIR: folder })
  }
  const names = ['one', 'two'] as const
  const servers = await Promise.all(names.map((name) => start(name)))
  const relayTo = (living: readonly Server[]): void => relay.setServers(living.map(({ address }) => address))
  relayTo(servers)
  let [isDone, kills] = [false, 0]
  const done = work().finally(() => {
    isDone = true
  })
  for (;;) {
    await Promise.race([setTimeout(randomInt(2_000, 5_000)), done])
    if (isDone) break
    const at = randomInt(2)
    // The payers of this instant meet a dead server: the relay learns of it afterwards.
    await kill(servers[at] as Server)
    kills += 1
    relayTo(servers.filter((_, index) => index !== at))
    servers[at] = await start(names[at] ?? 'one')
    relayTo(servers)
  }
  await done
  await relay.close()
  await Promise.all(servers.map((server) => kill(server)))
  return kills
}

const kill = async ({ child }: Server): Promise<void> => {
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}
