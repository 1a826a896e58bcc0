import { isEmail } from '../../../ui/form/is-email.ts'

const MIN_NAME_LENGTH = 4

/** True when a bank account can be saved: a name of four letters, an email address and a ticked mandate (PM-15). */
export const canGiveMandate = ({ name, email, isTicked }: { name: string; email: string; isTicked: boolean }): boolean =>
  name.trim().length >= MIN_NAME_LENGTH && isEmail(email) && isTicked
