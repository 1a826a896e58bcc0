/** The minimum length of a changed or reset password [PWD-01]; the strength meter's own minimum is 5. */
export const PASSWORD_MIN_LENGTH = 6
export const METER_MIN_LENGTH = 5
/** The least zxcvbn score (0 to 4) that the server accepts. */
export const PASSWORD_MIN_SCORE = 2
/** The rules for the password of a registration [REG-01], in the order in which they are checked. */
const REGISTRATION_RULES: readonly { readonly holds: (password: string) => boolean; readonly otherwise: string }[] = [
  { holds: (password) => [...password].length >= 8, otherwise: 'Password shorter than 8 characters.' },
  { holds: (password) => /\p{Lu}/u.test(password), otherwise: "Password don't include at least one uppercase letter." },
  { holds: (password) => /\p{Ll}/u.test(password), otherwise: "Password don't include at least one lowercase letter." },
  { holds: (password) => /\d/.test(password), otherwise: "Password don't include at least one number." },
  {
    holds: (password) => /[!@#$%^&*(),.?":{}|<>]/.test(password),
    otherwise: "Password don't include at least one special character.",
  },
]

/** The message of the first registration rule that a password breaks; null when it breaks none. */
export const registrationPasswordProblem = (password: string): string | null =>
  REGISTRATION_RULES.find(({ holds }) => !holds(password))?.otherwise ?? null

/** The message of the sixth rule: the confirmation equals the password. */
export const PASSWORDS_DIFFER_TEXT = 'Passwords do not match.'

/** Longer passwords are refused before they are hashed. */
export const PASSWORD_MAX_BYTES = 1_024
