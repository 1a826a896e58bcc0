const SAFE_PATH = /^\/(?![/\\])[^\\\p{Cc}\p{Cf}]*$/u
const PORTAL_ORIGIN = 'http://portal'
const MAX_LENGTH = 2_048

/**
 * The path to come back to after single sign-on; undefined for anything but a path of this origin (decisions.md, Sign-in paths).
 * The portal weighs it once more before it goes there.
 */
export const toRedirectPath = (target: string): string | undefined => {
  if (target.length > MAX_LENGTH) return undefined
  if (!SAFE_PATH.test(target) || !SAFE_PATH.test(decodeAsciiEscapes(target)) || !URL.canParse(target, PORTAL_ORIGIN)) return undefined
  return new URL(target, PORTAL_ORIGIN).origin === PORTAL_ORIGIN ? target : undefined
}

/** With every percent-encoded ASCII character in its plain form. */
const decodeAsciiEscapes = (text: string): string =>
  text.replaceAll(/%([0-7][0-9a-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
