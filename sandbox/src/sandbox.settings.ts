import type { SandboxOptions } from './sandbox.ts'
import type { StandingListener } from './stripe/webhooks/webhook-sender.ts'

const HIGHEST_PORT = 65_535

/**
 * The sandbox's settings as an environment gives them: SANDBOX_PORT (3900), SANDBOX_SMTP_PORT (SANDBOX_PORT + 1)
 * and SANDBOX_DIR (`.counterfoil/sandbox`), and whom its Stripe tells of everything: SANDBOX_STRIPE_WEBHOOK, an address in which `{account}`
 * stands for the account's word, with SANDBOX_STRIPE_WEBHOOK_SECRET. Port 0 takes any free port, for the mail server too unless it has its own setting.
 * @throws RangeError when a port is not a whole number from 0 to 65535, or the address of notices is none, or its secret is missing
 */
export const settingsFrom = (env: Readonly<Record<string, string | undefined>>): SandboxOptions => {
  const port = portOf('SANDBOX_PORT', env['SANDBOX_PORT'] || '3900')
  return {
    port,
    smtpPort: portOf('SANDBOX_SMTP_PORT', env['SANDBOX_SMTP_PORT'] || String(port === 0 ? 0 : port + 1)),
    dir: env['SANDBOX_DIR'] || '.counterfoil/sandbox',
    stripeListener: listenerOf(env['SANDBOX_STRIPE_WEBHOOK'], env['SANDBOX_STRIPE_WEBHOOK_SECRET']),
  }
}

const listenerOf = (url: string | undefined, secret: string | undefined): StandingListener | undefined => {
  if (!url) return undefined
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new RangeError(`SANDBOX_STRIPE_WEBHOOK must be an http or https address, not "${url}".`)
  if (!secret) throw new RangeError('SANDBOX_STRIPE_WEBHOOK needs SANDBOX_STRIPE_WEBHOOK_SECRET, with which its notices are signed.')
  return { url, secret }
}

const portOf = (setting: string, text: string): number => {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (!(port <= HIGHEST_PORT)) throw new RangeError(`${setting} must be a whole number from 0 to ${HIGHEST_PORT}, not "${text}".`)
  return port
}
