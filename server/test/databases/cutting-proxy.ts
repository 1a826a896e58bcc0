import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** Where the connection to the database breaks: before the commit is sent on, or before its answer comes back. */
type Cut = 'before the commit' | 'during the commit'

/** A way to a PostgreSQL server that breaks when a transaction commits. */
export interface CuttingProxy {
  /** The URL of the database through it. */
  readonly url: string
  /** Breaks once, at the next commit of a transaction with a statement that contains `marker`. @param stays what follows finds nobody */
  cutAt(cut: Cut, marker: string, stays?: boolean): void
  /** Lets connections through again. */
  mend(): void
  /** True when it has broken as planned. */
  readonly isCut: boolean
  close(): Promise<void>
}

/** Opens a proxy to the database at this URL. */
export const openCuttingProxy = async (databaseUrl: string): Promise<CuttingProxy> => {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  let plan: { cut: Cut; marker: string; stays: boolean } | null = null
  let [isCut, isGone] = [false, false]

  const server = createServer((client) => {
    if (isGone) return void client.destroy()
    const upstream = connect(Number(target.port), target.hostname)
    let [isMarked, dropsAnswer] = [false, false]
    const breakConnection = (): void => {
      client.destroy()
      upstream.destroy()
    }
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', breakConnection).on('close', () => {
        sockets.delete(socket)
        breakConnection()
      })
    }
    client.on('data', (bytes) => {
      const text = bytes.toString('latin1')
      isMarked ||= plan !== null && text.includes(plan.marker)
      if (plan === null || !isMarked || !text.includes('commit')) return void upstream.write(bytes)
      const { cut, stays } = plan
      plan = null
      isCut = true
      isGone = stays
      if (cut === 'before the commit') return breakConnection()
      dropsAnswer = true
      upstream.write(bytes)
    })
    upstream.on('data', (bytes) => (dropsAnswer ? breakConnection() : void client.write(bytes)))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(databaseUrl)
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    cutAt: (cut, marker, stays = false) => {
      plan = { cut, marker, stays }
      isCut = false
    },
    mend: () => {
      isGone = false
    },
    get isCut() {
      return isCut
    },
    close: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
