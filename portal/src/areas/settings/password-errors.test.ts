import { expect, test } from 'vitest'
import { AskFailed } from '../../api/api-error.ts'
import { refusalOf } from './password-errors.ts'

const failed = (...errors: { path: string; message: string }[]) => new AskFailed(400, 'Refused', { message: 'Refused', errors })

test('[PWD-01] what the server found wrong stands beside the field that it names', () => {
  expect(refusalOf(failed({ path: 'body.oldPassword', message: 'Wrong' }))).toEqual({ oldPassword: 'Wrong' })
  expect(refusalOf(failed({ path: 'body.newPassword', message: 'Too easy' }))).toEqual({ newPassword: 'Too easy' })
})

test('[PWD-01] a failure that names no field belongs to the whole form, and no failure to nothing', () => {
  expect(refusalOf(failed())).toEqual({ form: 'Refused' })
  expect(refusalOf(null)).toEqual({})
})
