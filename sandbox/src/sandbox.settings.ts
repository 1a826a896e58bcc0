import type { SandboxOptions } from './sandbox.ts'

const HIGHEST_PORT = 65_535

/**
 * The sandbox's settings as an environment gives them: SANDBOX_PORT (3900), SANDBOX_SMTP_PORT (SANDBOX_PORT + 1)
 * and SANDBOX_DIR (`.counterfoil/sandbox`). Port 0 takes any free port, for the mail server too unless it has its own setting.
 * @throws RangeError when a port is not a whole number from 0 to 65535
 */
export const settingsFrom = (env: Readonly<Record<string, string | undefined>>): SandboxOptions => {
  const port = portOf('SANDBOX_PORT', env['SANDBOX_PORT'] || '3900')
  return {
    port,
    smtpPort: portOf('SANDBOX_SMTP_PORT', env['SANDBOX_SMTP_PORT'] || String(port === 0 ? 0 : port + 1)),
    dir: env['SANDBOX_DIR'] || '.counterfoil/sandbox',
  }
}

const portOf = (setting: string, text: string): number => {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (!(port <= HIGHEST_PORT)) throw new RangeError(`${setting} must be a whole number from 0 to ${HIGHEST_PORT}, not "${text}".`)
  return port
}
