/** Deliberately simple: text, @, and a domain with a dot. */
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

/** Does the text look like an email address? */
export const isEmail = (text: string): boolean => EMAIL.test(text.trim())
