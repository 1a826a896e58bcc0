import type { DefaultWebhook } from './webhooks/webhook-sender.ts'

/**
 * A webhook for all accounts from the environment: SANDBOX_AUTHORIZE_WEBHOOK, a URL in which `{account}` stands for the login id,
 * and SANDBOX_AUTHORIZE_WEBHOOK_KEY, the signature key. Undefined without the URL.
 * @throws RangeError when the URL is not valid or the key is missing
 */
export const authorizeWebhookFrom = (env: Readonly<Record<string, string | undefined>>): DefaultWebhook | undefined => {
  const [url, key] = [env['SANDBOX_AUTHORIZE_WEBHOOK'], env['SANDBOX_AUTHORIZE_WEBHOOK_KEY']]
  if (!url) return undefined
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new RangeError(`SANDBOX_AUTHORIZE_WEBHOOK must be an http or https address, not "${url}".`)
  if (!key) throw new RangeError('SANDBOX_AUTHORIZE_WEBHOOK needs SANDBOX_AUTHORIZE_WEBHOOK_KEY, which signs its notifications.')
  return { url, key }
}
