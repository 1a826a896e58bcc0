import { throwNoResponse } from '../../../api/api-error.ts'
import { fetchWithTimeout, timeoutWith } from '../../../api/send-request.ts'

/**
 * Sends JSON from the browser to a payment provider's own server, without cookies.
 * @returns the provider's answer, whatever the status; the body is undefined where it is not JSON
 * @throws ApiError with status 0 without a response
 */
export const postToProvider = async (address: string, body: object): Promise<{ isOk: boolean; body: unknown }> => {
  const aborter = new AbortController()
  const request: RequestInit = {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
    redirect: 'error',
    body: JSON.stringify(body),
  }
  const response = await fetchWithTimeout(address, request, aborter).catch(throwNoResponse(undefined))
  return { isOk: response.ok, body: await timeoutWith(aborter)(response.json()).catch(() => undefined) }
}
