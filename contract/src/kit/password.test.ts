import { expect, test } from 'vitest'
import { registrationPasswordProblem } from './password.ts'

test.each([
  ['', 'Password shorter than 8 characters.'],
  ['Aa1!Aa1', 'Password shorter than 8 characters.'],
  ['ÄÖÜÄÖÜ1', 'Password shorter than 8 characters.'],
  ['aaaaaaaa', "Password don't include at least one uppercase letter."],
  ['AAAAAAAA', "Password don't include at least one lowercase letter."],
  ['AAAAaaaa', "Password don't include at least one number."],
  ['AAAAaaa1', "Password don't include at least one special character."],
  ['AAAAaaa-1_', "Password don't include at least one special character."],
  ['AAAAaaa1!', null],
  ['Ünïcode1?', null],
])('[REG-01] the first rule that %j breaks: %s', (password, fault) => {
  expect(registrationPasswordProblem(password)).toBe(fault)
})

test('[REG-01] each of the specified special characters counts', () => {
  for (const special of '!@#$%^&*(),.?":{}|<>') expect(registrationPasswordProblem(`AAAAaaa1${special}`), special).toBeNull()
})
