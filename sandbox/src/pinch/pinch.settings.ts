/** A webhook for all accounts; `{account}` in its URL is replaced by the application id. */
export interface PinchWebhook {
  readonly url: string
  readonly secret: string
}

/**
 * A webhook for all accounts from the environment: SANDBOX_PINCH_WEBHOOK, a URL in which `{account}` stands for the application id,
 * and SANDBOX_PINCH_WEBHOOK_SECRET. Undefined without the URL.
 * @throws RangeError when the URL is not valid or the secret is missing
 */
export const pinchWebhookFrom = (env: Readonly<Record<string, string | undefined>>): PinchWebhook | undefined => {
  const [url, secret] = [env['SANDBOX_PINCH_WEBHOOK'], env['SANDBOX_PINCH_WEBHOOK_SECRET']]
  if (!url) return undefined
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new RangeError(`SANDBOX_PINCH_WEBHOOK must be an http or https address, not "${url}".`)
  if (!secret) throw new RangeError('SANDBOX_PINCH_WEBHOOK needs SANDBOX_PINCH_WEBHOOK_SECRET, which signs its events.')
  return { url, secret }
}
