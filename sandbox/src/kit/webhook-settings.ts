import type { SharedWebhook } from './webhook-sender.ts'

/**
 * A webhook for all accounts of a provider from the environment: SANDBOX_NAME_WEBHOOK, a URL in which `{account}` stands for the
 * account's name, and SANDBOX_NAME_WEBHOOK_SECRET. Undefined without the URL.
 * @throws RangeError when the URL is not valid or the secret is missing
 */
export const webhookFrom = (
  env: Readonly<Record<string, string | undefined>>,
  name: string,
  secretName = `${name}_SECRET`,
): SharedWebhook | undefined => {
  const [url, secret] = [env[name], env[secretName]]
  if (!url) return undefined
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new RangeError(`${name} must be an http or https address, not "${url}".`)
  if (!secret) throw new RangeError(`${name} needs ${secretName}, which signs its events.`)
  return { url, secret }
}
