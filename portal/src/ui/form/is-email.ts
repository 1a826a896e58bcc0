/** Something before an @, something after it, and a dot in that: what the specification calls a simple pattern. */
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

/** Does this read as an email address? */
export const isEmail = (text: string): boolean => EMAIL.test(text.trim())
