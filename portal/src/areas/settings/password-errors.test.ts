import { expect, test } from 'vitest'
import { ApiError } from '../../api/api-error.ts'
import { passwordErrors } from './password-errors.ts'

const badRequest = (...errors: { path: string; message: string }[]) => new ApiError(400, 'Refused', { message: 'Refused', errors })

test('[PWD-01] what the server found wrong stands beside the field that it names', () => {
  expect(passwordErrors(badRequest({ path: 'body.oldPassword', message: 'Wrong' }))).toEqual({ oldPassword: 'Wrong' })
  expect(passwordErrors(badRequest({ path: 'body.newPassword', message: 'Too easy' }))).toEqual({ newPassword: 'Too easy' })
})

test('[PWD-01] a failure that names no field belongs to the whole form, and no failure to nothing', () => {
  expect(passwordErrors(badRequest())).toEqual({ form: 'Refused' })
  expect(passwordErrors(null)).toEqual({})
})
