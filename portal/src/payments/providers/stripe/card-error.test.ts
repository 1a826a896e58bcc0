import { expect, test } from 'vitest'
import { AskFailed } from '../../../api/call-api.ts'
import { ScriptRefusal } from './card-token.ts'
import { cardRefusal } from './card-error.ts'

test("[PM-06] a card that is not stored is told in the server's words, or the company's", () => {
  expect(cardRefusal(new AskFailed(400, 'card_declined', { userMessage: 'Your card has expired.' }))).toBe('Your card has expired.')
  expect(cardRefusal(new AskFailed(409, 'This card is stored already.'))).toBe('This card is stored already.')
  expect(cardRefusal(new ScriptRefusal('Your card number is incomplete.'))).toBe('Your card number is incomplete.')
})

test("[PM-06] the server's own fault is told as a declined card", () => {
  expect(cardRefusal(new AskFailed(500, 'Something broke (ref 12).'))).toBe('Your card was declined')
})
