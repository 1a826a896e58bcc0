import type { SandboxOptions } from './sandbox.ts'
import { providerOptionsFrom } from './providers.ts'

const MAX_PORT = 65_535

/**
 * The ports, the folder and the shared webhooks from the environment, each with a default. Port 0 takes any free port, for the mail server
 * too unless SANDBOX_SMTP_PORT is set.
 * @throws RangeError when a port is not an integer from 0 to MAX_PORT, or a provider's setting is not valid
 */
export const settingsFrom = (env: Readonly<Record<string, string | undefined>>): SandboxOptions => {
  const port = portOf('SANDBOX_PORT', env['SANDBOX_PORT'] || '3900')
  return {
    port,
    smtpPort: portOf('SANDBOX_SMTP_PORT', env['SANDBOX_SMTP_PORT'] || String(port === 0 ? 0 : port + 1)),
    dir: env['SANDBOX_DIR'] || '.counterfoil/sandbox',
    ...providerOptionsFrom(env),
  }
}

/** The port in a setting's text. @throws RangeError when the text is not a whole number from 0 to MAX_PORT */
const portOf = (setting: string, text: string): number => {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (!(port <= MAX_PORT)) throw new RangeError(`${setting} must be a whole number from 0 to ${MAX_PORT}, not "${text}".`)
  return port
}
