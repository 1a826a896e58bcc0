import type { AddressInfo } from 'node:net'
import { sandboxApp } from './app.ts'
import { startMailServer } from './mail/mail-server.ts'
import { openStores } from './stores.ts'
import type { StandingListener } from './stripe/webhooks/webhook-sender.ts'

export interface SandboxOptions {
  /** Where the sandbox's own interface and the stand-ins answer; 0 takes any free port. */
  readonly port: number
  /** Where mail is taken; 0 takes any free port. */
  readonly smtpPort: number
  /** The folder of the ledger on disk; made when absent. */
  readonly dir: string
  /** The address to listen on; this machine alone (127.0.0.1) unless told otherwise. */
  readonly host?: string
  /** Who is told of everything that happens at the sandbox's Stripe. */
  readonly stripeListener?: StandingListener | undefined
}

export interface Sandbox {
  /** `http://host:port` */
  readonly url: string
  /** `smtp://host:port` */
  readonly smtpUrl: string
  /** Stops both servers, cutting the lines that are open. May be called again. */
  close(): Promise<void>
}

/**
 * Brings up the stand-in for the outside world: the mailbox, the payment ledger and the switches for failures
 * (decisions.md, The sandbox's own interface).
 * @throws Error with a sentence fit for people when a port cannot be had
 */
export const startSandbox = async ({ port, smtpPort, dir, host = '127.0.0.1', stripeListener }: SandboxOptions): Promise<Sandbox> => {
  const stores = openStores(dir, { stripeListener })
  const mail = await startMailServer(stores.mailbox, { port: smtpPort, host }).catch((error: unknown) => {
    throw listenFailure(error, { setting: 'SANDBOX_SMTP_PORT', port: smtpPort, host })
  })
  const app = sandboxApp(stores)
  const close = () => Promise.all([app.close(), mail.close()])
  try {
    await app.listen({ port, host })
  } catch (error) {
    await close()
    throw listenFailure(error, { setting: 'SANDBOX_PORT', port, host })
  }
  let closing: Promise<unknown> | undefined
  return {
    url: `http://${authority(host, app.server.address())}`,
    smtpUrl: `smtp://${authority(host, mail.address)}`,
    close: async () => {
      closing ??= close()
      await closing
    },
  }
}

const authority = (host: string, address: AddressInfo | string | null): string => {
  const name = host.includes(':') ? `[${host}]` : host
  return typeof address === 'object' && address !== null ? `${name}:${address.port}` : name
}

const listenFailure = (error: unknown, { setting, port, host }: { setting: string; port: number; host: string }): Error => {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE')
    return new Error(`Port ${port} on ${host} is already taken. Stop the program that holds it, or set ${setting} to a free port.`, {
      cause: error,
    })
  if (code === 'EACCES')
    return new Error(`This user may not open port ${port} on ${host}. Set ${setting} to a port above 1023.`, { cause: error })
  return new Error(`The sandbox cannot listen on port ${port} of ${host} (${String(code ?? error)}).`, { cause: error })
}
