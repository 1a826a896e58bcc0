import type { DefaultWebhook } from './webhooks/webhook-sender.ts'

/**
 * A webhook for all accounts from the environment: SANDBOX_STRIPE_WEBHOOK, a URL in which `{account}` stands for the account's name,
 * and SANDBOX_STRIPE_WEBHOOK_SECRET. Undefined without the URL.
 * @throws RangeError when the URL is not valid or the secret is missing
 */
export const stripeWebhookFrom = (env: Readonly<Record<string, string | undefined>>): DefaultWebhook | undefined => {
  const [url, secret] = [env['SANDBOX_STRIPE_WEBHOOK'], env['SANDBOX_STRIPE_WEBHOOK_SECRET']]
  if (!url) return undefined
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new RangeError(`SANDBOX_STRIPE_WEBHOOK must be an http or https address, not "${url}".`)
  if (!secret) throw new RangeError('SANDBOX_STRIPE_WEBHOOK needs SANDBOX_STRIPE_WEBHOOK_SECRET, which signs its events.')
  return { url, secret }
}
