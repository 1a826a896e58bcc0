import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { toSavedMethod } from './saved-methods.ts'

const CARD = { scheme: 'VC', number: '498765...769', expiryMonth: 5, expiryYear: 2031, name: 'Ada Payer', emailAddress: null }
const both = { id: '1', isDefault: true, accountHolderName: 'Ada Payer' }

test('[BP-02] bpoint: a card is its brand image and the number as BPOINT masks it', () => {
  const saved = toSavedMethod({ ...both, type: 'card', sourceType: 'CC', bPointCard: CARD })
  expect(saved).toMatchObject({ kind: 'card', type: 'card', title: '498765...769', detail: 'Expires 05/2031', isDefault: true })
  expect(saved.facts.map(({ value }) => value)).toEqual(['Ada Payer', '05/2031', 'No email provided'])
})

test.each([
  ['VC', 'Visa'],
  ['MC', 'Mastercard'],
  ['AX', 'American Express'],
  ['DC', 'Diners Club'],
  ['JC', 'JCB'],
  ['UP', 'UnionPay'],
  ['XX', 'Card'],
  [null, 'Card'],
])('[BP-02] bpoint: the image of %s has the text %s', (scheme, name) => {
  const { image } = toSavedMethod({ ...both, type: 'card', sourceType: 'CC', bPointCard: { ...CARD, scheme } })
  expect(renderToStaticMarkup(image)).toMatch(new RegExp(`^<svg .*aria-hidden="true".*</svg><span [^>]+>${name} </span>$`))
})

test('[BP-02] [PM-101] bpoint: an account is its BSB and the last four digits', () => {
  const account = { bsb: '062000', account: '5678' }
  expect(toSavedMethod({ ...both, type: 'au_becs_debit', sourceType: 'ACH', bPointBankAccount: account })).toMatchObject({
    kind: 'bank',
    type: 'au_becs_debit',
    title: 'BSB 062000 •••• 5678',
    detail: 'Ada Payer',
  })
})
