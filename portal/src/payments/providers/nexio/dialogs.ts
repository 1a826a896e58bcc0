/** The forms that store and change methods. One module, so that they come in one piece with the first press. */
export { AddAccount } from './add-account.tsx'
export { AddCard } from './add-card.tsx'
export { EditCard } from './edit-card.tsx'
