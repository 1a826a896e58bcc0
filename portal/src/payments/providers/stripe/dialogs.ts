/** The forms that store and change methods. One module, so that they and Stripe's fields come in one piece with the first press. */
export { AddAuBecs, AddSepa } from './add-bank.tsx'
export { AddCard } from './add-card.tsx'
export { AddUkAccount, AddUsAccount } from './checkout.tsx'
export { EditCard } from './edit-card.tsx'
