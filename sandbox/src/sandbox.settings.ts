import type { SandboxOptions } from './sandbox.ts'
import type { DefaultWebhook } from './stripe/webhooks/webhook-sender.ts'

const MAX_PORT = 65_535

/**
 * The sandbox's settings from the environment: SANDBOX_PORT (3900), SANDBOX_SMTP_PORT (SANDBOX_PORT + 1), SANDBOX_DIR (`.counterfoil/sandbox`),
 * and a Stripe webhook for all accounts: SANDBOX_STRIPE_WEBHOOK, a URL in which `{account}` stands for the account's name, and
 * SANDBOX_STRIPE_WEBHOOK_SECRET. Port 0 takes any free port, for the mail server too unless it has its own setting.
 * @throws RangeError when a port is not an integer from 0 to 65535, or the webhook's URL is not valid, or its secret is missing
 */
export const settingsFrom = (env: Readonly<Record<string, string | undefined>>): SandboxOptions => {
  const port = portOf('SANDBOX_PORT', env['SANDBOX_PORT'] || '3900')
  return {
    port,
    smtpPort: portOf('SANDBOX_SMTP_PORT', env['SANDBOX_SMTP_PORT'] || String(port === 0 ? 0 : port + 1)),
    dir: env['SANDBOX_DIR'] || '.counterfoil/sandbox',
    stripeWebhook: webhookOf(env['SANDBOX_STRIPE_WEBHOOK'], env['SANDBOX_STRIPE_WEBHOOK_SECRET']),
  }
}

const webhookOf = (url: string | undefined, secret: string | undefined): DefaultWebhook | undefined => {
  if (!url) return undefined
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new RangeError(`SANDBOX_STRIPE_WEBHOOK must be an http or https address, not "${url}".`)
  if (!secret) throw new RangeError('SANDBOX_STRIPE_WEBHOOK needs SANDBOX_STRIPE_WEBHOOK_SECRET, which signs its events.')
  return { url, secret }
}

const portOf = (setting: string, text: string): number => {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (!(port <= MAX_PORT)) throw new RangeError(`${setting} must be a whole number from 0 to ${MAX_PORT}, not "${text}".`)
  return port
}
