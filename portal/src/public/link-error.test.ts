import { expect, test } from 'vitest'
import { ApiError } from '../api/call-api.ts'
import { toLinkError } from './link-error.ts'

const OVER = 'Your change password session has expired. Please try again.'

test('[RST-01][REG-01] a rejected password has the server’s message beside its field', () => {
  const words = 'This password is too easy to guess.'
  expect(toLinkError(new ApiError(400, words, { errors: [{ path: 'body.password', message: words }] }), OVER)).toEqual({ field: words })
})

test('[RST-01][REG-01] an expired link has the given text, whatever the server’s message', () => {
  for (const failure of [new ApiError(400, 'gone'), new ApiError(400, 'bad', { errors: [{ path: 'body.token', message: 'is bad' }] })])
    expect(toLinkError(failure, OVER)).toEqual({ form: OVER, isExpired: true })
})

test('[RST-01][REG-01] a failing server or proxy has the given text, not its status', () => {
  for (const status of [500, 502, 503])
    expect(toLinkError(new ApiError(status, `The server answered ${status}.`), OVER)).toEqual({ form: OVER })
})

test('[RST-01][REG-01] a busy or unreachable server is shown as such: the link may still be valid', () => {
  expect(toLinkError(new ApiError(429, 'Too many attempts. Please try again in 3 seconds.'), OVER)).toEqual({
    form: 'Too many attempts. Please try again in 3 seconds.',
  })
  expect(toLinkError(new ApiError(0, 'The server could not be reached.'), OVER)).toEqual({ form: 'The server could not be reached.' })
})
