import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { setTimeout } from 'node:timers/promises'
import { buildApp } from './app.ts'
import type { AppContext } from './context.ts'
import type { Worker } from './jobs/worker.ts'
import { startListening } from './http/start-listening.ts'
import { listenForCommands } from './cli/socket.ts'

const PORTAL = fileURLToPath(new URL('../../portal/dist', import.meta.url))

export interface ServeOptions {
  readonly worker: boolean
}

export interface RunningServer {
  readonly address: string
  /** Finishes requests and jobs in progress, then closes everything. */
  stop(): Promise<void>
}

/**
 * Starts the server, with the portal when it is built, and the worker unless that runs apart.
 * @throws OperatorError when the port is taken or not allowed
 */
export const serve = async (context: AppContext, { worker }: ServeOptions): Promise<RunningServer> => {
  const { config, log } = context
  const readiness = { isReady: false }
  let workerStart: Promise<Worker> | null = null
  const tellWorker = (tell: (worker: Worker) => void): void => void workerStart?.then(tell).catch(() => undefined)
  const wakeWorker = (): void => tellWorker((started) => started.wake())
  const app = await buildApp(context, {
    readiness,
    portalFolder: existsSync(PORTAL) ? PORTAL : null,
    onMailQueued: () => tellWorker((started) => started.wakeForMail()),
    onReportQueued: wakeWorker,
    onWebhookEvent: wakeWorker,
  })
  const address = await startListening(app, { host: config.host, port: config.port, setting: 'PORT' })
  const closeSocket = config.databaseUrl === null ? await listenForCommands(context) : async () => undefined
  readiness.isReady = true
  workerStart = worker ? import('./jobs/worker.ts').then(({ startWorker }) => startWorker(context)) : null
  workerStart?.catch((error: unknown) => log.error({ err: error }, 'the worker did not start'))
  log.info({ address, database: context.store.kind }, 'ready')
  return {
    address,
    stop: async () => {
      readiness.isReady = false
      log.info('stopping: finishing what is under way')
      await setTimeout(config.stopDelayMs) // load balancers see /readyz fail first
      await app.close()
      await closeSocket()
      await (await workerStart?.catch(() => null))?.stop()
      await context.close()
    },
  }
}
