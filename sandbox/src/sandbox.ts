import type { AddressInfo } from 'node:net'
import { sandboxApp } from './app.ts'
import { startMailServer } from './mail/mail-server.ts'
import { openStores } from './stores.ts'
import type { ProviderOptions } from './providers.ts'

export interface SandboxOptions extends ProviderOptions {
  /** The port of the HTTP server; 0 takes any free port. */
  readonly port: number
  /** The SMTP port; 0 takes any free port. */
  readonly smtpPort: number
  /** The folder of the stored data; created when absent. */
  readonly dir: string
  /** The address to listen on; 127.0.0.1 by default. */
  readonly host?: string
}

export interface Sandbox {
  /** `http://host:port` */
  readonly url: string
  /** `smtp://host:port` */
  readonly smtpUrl: string
  /** Stops both servers and closes open connections. May be called again. */
  close(): Promise<void>
}

/**
 * Starts the sandbox: the mail server, and an HTTP server with the providers and the calls by which tests control them.
 * @throws Error with a readable message when a port is not available
 */
export const startSandbox = async ({ port, smtpPort, dir, host = '127.0.0.1', ...options }: SandboxOptions): Promise<Sandbox> => {
  const stores = openStores(dir, options)
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
    url: `http://${hostAndPort(host, app.server.address())}`,
    smtpUrl: `smtp://${hostAndPort(host, mail.address)}`,
    close: async () => {
      closing ??= close()
      await closing
    },
  }
}

/** The host and the port that a server listens on, as in a URL. */
const hostAndPort = (host: string, address: AddressInfo | string | null): string => {
  const name = host.includes(':') ? `[${host}]` : host
  return typeof address === 'object' && address !== null ? `${name}:${address.port}` : name
}

/** The error to throw when a server cannot listen, with a sentence that names the setting to change. */
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
