import { expect, test } from 'vitest'
import { readFrameMessage } from './frame-message.ts'

const FAILED = { kind: 'error', text: 'Your card could not be saved. Please try again.' }

test.each([
  [
    { event: 'formValidations', data: { number: true, isFormValid: true } },
    { kind: 'validity', isValid: true },
  ],
  [
    { event: 'formValidations', data: { isFormValid: 'yes' } },
    { kind: 'validity', isValid: false },
  ],
  [
    { event: 'cardSaved', data: { token: { token: '830d36f4', lastFour: '1111' } } },
    { kind: 'saved', token: '830d36f4' },
  ],
  [{ event: 'cardSaved', data: { token: '830d36f4' } }, FAILED],
  [{ event: 'cardSaved' }, FAILED],
  [
    { event: 'error', data: { error: 437, message: 'Verify CVC Failed' } },
    { kind: 'error', text: 'Verify CVC Failed' },
  ],
  [{ event: 'error' }, FAILED],
  [{ event: 'loaded' }, null],
  ['posted', null],
  [null, null],
])('[PM-04] [PM-80] nexio: its frame says %j', (message, means) => {
  expect(readFrameMessage(message)).toEqual(means)
})
