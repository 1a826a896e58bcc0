import { isEmail } from '../../ui/form/is-email.ts'

const MIN_NAME_LENGTH = 4

/** May the account be stored? A name of at least four letters, an email address, and a ticked mandate (payments.md §5, Bank account). */
export const canGiveMandate = ({ name, email, isTicked }: { name: string; email: string; isTicked: boolean }): boolean =>
  name.trim().length >= MIN_NAME_LENGTH && isEmail(email) && isTicked
