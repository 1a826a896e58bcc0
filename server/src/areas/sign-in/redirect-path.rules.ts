const PLAIN = /^\/(?![/\\])[^\\\p{Cc}\p{Cf}]*$/u
const PORTAL = 'http://portal'
const MOST_CHARACTERS = 2_048

/**
 * The path to come back to after single sign-on; undefined for anything but a path of this origin (decisions.md, Sign-in paths).
 * The portal weighs it once more before it goes there.
 */
export const redirectPath = (target: string): string | undefined => {
  if (target.length > MOST_CHARACTERS) return undefined
  if (!PLAIN.test(target) || !PLAIN.test(decoded(target)) || !URL.canParse(target, PORTAL)) return undefined
  return new URL(target, PORTAL).origin === PORTAL ? target : undefined
}

/** With every percent-encoded ASCII character in its plain form. */
const decoded = (text: string): string =>
  text.replaceAll(/%([0-7][0-9a-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
