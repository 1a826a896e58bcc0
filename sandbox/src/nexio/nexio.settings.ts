/** A webhook for all accounts; `{account}` in its URL is replaced by the user name. */
export interface NexioWebhook {
  readonly url: string
  readonly secret: string
}

/**
 * A webhook for all accounts from the environment: SANDBOX_NEXIO_WEBHOOK, a URL in which `{account}` stands for the user name,
 * and SANDBOX_NEXIO_WEBHOOK_SECRET. Undefined without the URL.
 * @throws RangeError when the URL is not valid or the secret is missing
 */
export const nexioWebhookFrom = (env: Readonly<Record<string, string | undefined>>): NexioWebhook | undefined => {
  const [url, secret] = [env['SANDBOX_NEXIO_WEBHOOK'], env['SANDBOX_NEXIO_WEBHOOK_SECRET']]
  if (!url) return undefined
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new RangeError(`SANDBOX_NEXIO_WEBHOOK must be an http or https address, not "${url}".`)
  if (!secret) throw new RangeError('SANDBOX_NEXIO_WEBHOOK needs SANDBOX_NEXIO_WEBHOOK_SECRET, which signs its events.')
  return { url, secret }
}
