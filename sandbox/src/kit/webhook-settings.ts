import type { SharedWebhook } from './webhook-sender.ts'

/**
 * A provider's webhook for all accounts, from the environment variables `name`, a URL that may contain `{account}`, and `secretName`.
 * Undefined without the URL.
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
