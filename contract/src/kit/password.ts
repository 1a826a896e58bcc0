/** The law of a changed or reset password (portal.md §5, §9): the button opens at 6 characters; the meter's own minimum is 5. */
export const PASSWORD_MIN_LENGTH = 6
export const METER_MIN_LENGTH = 5
/** The least zxcvbn score (0 to 4) that the server accepts. */
export const PASSWORD_MIN_SCORE = 2
/** Longer passwords are refused before they are hashed. */
export const PASSWORD_MAX_BYTES = 1_024
