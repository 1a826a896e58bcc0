import { expect, test } from 'vitest'
import { ApiError, ShownError } from '../../../api/call-api.ts'
import { cardErrorText } from './card-error.ts'

test('[PM-06] a card that is not stored has the text of the server or the provider', () => {
  expect(cardErrorText(new ApiError(400, 'card_declined', { userMessage: 'Your card has expired.' }))).toBe('Your card has expired.')
  expect(cardErrorText(new ApiError(409, 'This card is stored already.'))).toBe('This card is stored already.')
  expect(cardErrorText(new ShownError('Your card number is incomplete.'))).toBe('Your card number is incomplete.')
})

test('[PM-06] a server error is shown as a declined card', () => {
  expect(cardErrorText(new ApiError(500, 'Something broke (ref 12).'))).toBe('Your card was declined')
})
