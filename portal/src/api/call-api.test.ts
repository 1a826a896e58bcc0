import type { Endpoint } from '@counterfoil/contract/kit/http/endpoint'
import type { ServerResponse } from 'node:http'
import { afterEach, expect, test, vi } from 'vitest'
import { type ApiError, callApi, fetchFile, messageOf, ShownError } from './call-api.ts'
import { signIn, signOut } from './sign-in.ts'
import { sendRequest } from './send-request.ts'
import { storeCustomerId, storedAuth, storeSession } from './session.ts'
import { respondWithJson, startTestBrowser, type SeenRequest } from './test-browser.ts'

let browser: Awaited<ReturnType<typeof startTestBrowser>>

afterEach(() => browser.close())

const me = { method: 'GET', path: '/v1/ec/me', access: 'customer', summary: '', response: {} } as const satisfies Endpoint
const file = { ...me, path: '/v1/ec/invoices/1', response: { file: 'application/pdf' } } as const satisfies Endpoint

const OLD = { access_token: 'old', refresh_token: 'r1' }
const NEW = { access_token: 'new', refresh_token: 'r2', token_type: 'Bearer', expires_in: 300 }

const bearer = ({ headers }: SeenRequest): string => headers.authorization ?? ''
const refreshes = (): SeenRequest[] => browser.requests.filter(({ path }) => path === '/token')

/** A server that knows the new token only; `/token` is answered by `refresh`. */
const openExpiredSession = (refresh: (response: ServerResponse) => void | Promise<void>) =>
  startTestBrowser((seen, response) => {
    if (seen.path === '/token') return refresh(response)
    return bearer(seen) === 'Bearer new'
      ? respondWithJson(response, 200, { ok: true })
      : respondWithJson(response, 401, { message: 'expired' })
  })

const failure = (asked: Promise<unknown>): Promise<ApiError> =>
  asked.then(
    () => expect.unreachable('the call succeeded'),
    (error: ApiError) => error,
  )

test('[SESS-02] requests that get a 401 wait for one refresh and are sent again', async () => {
  browser = await openExpiredSession((response) => respondWithJson(response, 200, NEW))
  storeSession(OLD)
  const answers = await Promise.all(Array.from({ length: 12 }, () => callApi(me)))
  expect(answers).toEqual(Array.from({ length: 12 }, () => ({ ok: true })))
  expect(refreshes()).toHaveLength(1)
  expect(Object.fromEntries(new URLSearchParams(refreshes()[0]?.body))).toEqual({
    grant_type: 'refresh_token',
    refresh_token: 'r1',
    client_id: 'counterfoil-portal',
    client_secret: 'counterfoil-portal',
  })
  expect(storedAuth()).toEqual({ access_token: 'new', refresh_token: 'r2' })
})

test('[SESS-02] when another tab has refreshed already, its token is used and no refresh is made', async () => {
  browser = await startTestBrowser((seen, response) => {
    if (bearer(seen) === 'Bearer new') return respondWithJson(response, 200, { ok: true })
    storeSession(NEW)
    return respondWithJson(response, 401, { message: 'expired' })
  })
  storeSession(OLD)
  expect(await callApi(me)).toEqual({ ok: true })
  expect(refreshes()).toHaveLength(0)
})

test('[SESS-02] a tab that waits for another tab’s refresh uses that tab’s token', async () => {
  browser = await openExpiredSession((response) => respondWithJson(response, 200, NEW))
  storeSession(OLD)
  const names: string[] = []
  const request = async (name: string, work: () => Promise<string>): Promise<string> => {
    names.push(name)
    storeSession(NEW)
    return work()
  }
  vi.stubGlobal('navigator', { locks: { request } })
  expect(await callApi(me)).toEqual({ ok: true })
  expect([names.length, refreshes().length]).toEqual([1, 0])
})

test('[SESS-02] a request is repeated only once: a second 401 fails it, and the session stays', async () => {
  browser = await startTestBrowser((seen, response) =>
    seen.path === '/token' ? respondWithJson(response, 200, NEW) : respondWithJson(response, 401, { message: 'no' }),
  )
  storeSession(OLD)
  expect((await failure(callApi(me))).status).toBe(401)
  expect(browser.requests.map(({ path }) => path)).toEqual(['/v1/ec/me', '/token', '/v1/ec/me'])
  expect(storedAuth()?.access_token).toBe('new')
})

test.each([400, 401])(
  '[SESS-03] a refresh answered with %i clears the three entries and opens /login, which returns here',
  async (status) => {
    browser = await openExpiredSession((response) => respondWithJson(response, status, { error: 'invalid_grant' }))
    storeSession(OLD)
    storeCustomerId(4)
    const all = await Promise.all([failure(callApi(me)), failure(callApi(me))])
    expect(all.map((one) => one.status)).toEqual([401, 401])
    expect(['auth', 'current_customer_id', 'is_super_user'].map((key) => browser.localStorage.getItem(key))).toEqual([null, null, null])
    expect(browser.visits).toEqual(['/login?r=%2Fusage%3Fpage%3D2'])
  },
)

test.each([500, 503, 429])('a refresh answered with %i signs nobody out', async (status) => {
  browser = await openExpiredSession((response) => respondWithJson(response, status, { message: 'later' }))
  storeSession(OLD)
  expect((await failure(callApi(me))).status).toBe(status)
  expect([storedAuth(), browser.visits]).toEqual([OLD, []])
})

test('a refresh without a response, or with an invalid one, does not sign out', async () => {
  const answers = [(response: ServerResponse) => void response.destroy(), (response: ServerResponse) => void response.end('<html>')]
  browser = await openExpiredSession((response) => answers.shift()?.(response))
  storeSession(OLD)
  const first = await failure(callApi(me))
  const second = await failure(callApi(me))
  expect([first.status, second.status, storedAuth(), browser.visits]).toEqual([0, 0, OLD, []])
})

test('[SESS-04] tokens that arrive after signing out are discarded', async () => {
  browser = await openExpiredSession(async (response) => {
    await signOut()
    respondWithJson(response, 200, NEW)
  })
  storeSession(OLD)
  await failure(callApi(me))
  expect([storedAuth(), browser.visits]).toEqual([null, ['/login?r=%2Fusage%3Fpage%3D2']])
})

test('[SESS-04] signing out clears the session and revokes its refresh token, also when the server does not respond', async () => {
  browser = await startTestBrowser((_, response) => void response.destroy())
  storeSession(OLD)
  await signOut()
  expect(storedAuth()).toBeNull()
  expect([browser.requests[0]?.path, new URLSearchParams(browser.requests[0]?.body).get('token')]).toEqual(['/revoke', 'r1'])
})

test('a signed-in request carries the token and the chosen customer, a public one neither', async () => {
  browser = await startTestBrowser((_, response) => respondWithJson(response, 200, {}))
  storeSession(OLD)
  storeCustomerId(42)
  await callApi(me)
  await callApi({ ...me, access: 'public' })
  const sent = browser.requests.map(({ headers }) => [headers.authorization, headers['x-customer-id']])
  expect(sent).toEqual([
    ['Bearer old', '42'],
    [undefined, undefined],
  ])
})

test('a request without a session opens /login and sends nothing', async () => {
  browser = await startTestBrowser((_, response) => respondWithJson(response, 200, {}))
  expect((await failure(callApi(me))).status).toBe(401)
  expect([browser.requests, browser.visits]).toEqual([[], ['/login?r=%2Fusage%3Fpage%3D2']])
})

test('[SESS-01] signing in posts a form with the client’s id and secret and stores the session', async () => {
  browser = await startTestBrowser((_, response) => respondWithJson(response, 200, NEW))
  await signIn('mara & co', 'p+ss=%')
  const [sent] = browser.requests
  expect(sent?.headers['content-type']).toMatch(/^application\/x-www-form-urlencoded/)
  expect(Object.fromEntries(new URLSearchParams(sent?.body))).toEqual({
    grant_type: 'password',
    username: 'mara & co',
    password: 'p+ss=%',
    client_id: 'counterfoil-portal',
    client_secret: 'counterfoil-portal',
  })
  expect([storedAuth()?.access_token, browser.localStorage.getItem('is_super_user')]).toEqual(['new', 'false'])
})

test('[AUTH-03] a rejected sign-in has the server’s error_description and headers', async () => {
  browser = await startTestBrowser((_, response) =>
    respondWithJson(response, 400, { error: 'invalid_grant', error_description: 'Switched off' }, { 'x-brand-name': 'orbit' }),
  )
  const error = await failure(signIn('a', 'b'))
  expect([error.status, error.userMessage, messageOf(error), error.headers.get('x-brand-name')]).toEqual([
    400,
    'Switched off',
    'Switched off',
    'orbit',
  ])
})

test('an error response has the server’s message and its field errors', async () => {
  const body = { message: 'Bad input', errors: [{ path: 'body.newPassword', message: 'Too weak' }] }
  browser = await startTestBrowser((_, response) => respondWithJson(response, 422, body))
  storeSession(OLD)
  const error = await failure(callApi(me))
  expect([error.status, messageOf(error), error.errors]).toEqual([422, 'Bad input', body.errors])
})

test('a query leaves out undefined and null values', async () => {
  browser = await startTestBrowser((_, response) => respondWithJson(response, 200, {}))
  await sendRequest(me, { query: { a: 'ü&', b: undefined, c: null, d: 0 } })
  expect(browser.requests[0]?.path).toBe('/v1/ec/me?a=%C3%BC%26&d=0')
})

test('an empty response is undefined', async () => {
  browser = await startTestBrowser((_, response) => void response.writeHead(204).end())
  storeSession(OLD)
  expect(await callApi(me)).toBeUndefined()
})

test('an aborted request fails as an abort, not as a lost connection', async () => {
  const stop = new AbortController()
  browser = await startTestBrowser(() => stop.abort())
  storeSession(OLD)
  await expect(callApi(me, { signal: stop.signal })).rejects.toMatchObject({ name: 'AbortError' })
})

test.each([
  [`attachment; filename="INV-1.pdf"`, 'INV-1.pdf'],
  [`attachment; filename="x.pdf"; filename*=UTF-8''Rechnung%20%E2%82%AC.pdf`, 'Rechnung €.pdf'],
  [`attachment; filename="R (K_ln).pdf"; filename*=UTF-8''R%20%28K%C3%B6ln%29.pdf`, 'R (Köln).pdf'],
  [`attachment; filename=plain.pdf`, 'plain.pdf'],
  [`attachment; filename="../../etc/pass\\"wd"`, '.._.._etc_pass"wd'],
  [`inline`, ''],
])('a file keeps its bytes and takes its name from %s', async (disposition, name) => {
  browser = await startTestBrowser((_, response) => void response.writeHead(200, { 'content-disposition': disposition }).end('%PDF'))
  storeSession(OLD)
  const answer = await fetchFile(file)
  expect([answer.name, await answer.blob.text()]).toEqual([name, '%PDF'])
})

test('the text of an error is shown where it was written to be; what the browser says is not', async () => {
  browser = await startTestBrowser((_, response) => void response.end())
  const thrown = [new TypeError('AbortSignal.any is not a function'), new Error('{"message":"inner"}'), { message: 'x' }, 'x', null]
  expect(new Set(thrown.map(messageOf))).toEqual(new Set(['Something went wrong. Try again later.']))
  expect(messageOf(new ShownError('The card fields are still loading. Try again.'))).toBe('The card fields are still loading. Try again.')
})

test('a streamed response may take any time, but not stop between two chunks', async () => {
  const MINUTES = 60_000
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    let pieces: ServerResponse | undefined
    browser = await startTestBrowser((_, response) => {
      pieces = response.writeHead(200, { 'content-type': 'text/csv' })
      response.write('first')
    })
    storeSession(OLD)
    const { body } = await sendRequest(file, {})
    const reader = body?.getReader()
    const read = async (): Promise<string> => Buffer.from((await reader?.read())?.value ?? []).toString()
    expect(await read()).toBe('first')
    for (const words of ['second', 'third', 'fourth']) {
      const next = read()
      vi.advanceTimersByTime(4 * MINUTES)
      pieces?.write(words)
      expect(await next).toBe(words)
    }
    vi.advanceTimersByTime(60 * MINUTES) // nobody reads meanwhile
    const silent = read()
    vi.advanceTimersByTime(5 * MINUTES)
    await expect(silent).rejects.toThrow('Nothing came for too long.')
  } finally {
    vi.useRealTimers()
  }
})
