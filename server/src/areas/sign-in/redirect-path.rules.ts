const SAFE_PATH = /^\/(?![/\\])[^\\\p{Cc}\p{Cf}]*$/u
const PORTAL_ORIGIN = 'http://portal'
const MAX_LENGTH = 2_048

/**
 * The path to return to after single sign-on; undefined for anything but a path of this origin. The portal checks it once more before it
 * navigates.
 */
export const toRedirectPath = (target: string): string | undefined => {
  if (target.length > MAX_LENGTH) return undefined
  if (!SAFE_PATH.test(target) || !SAFE_PATH.test(decodeAsciiEscapes(target)) || !URL.canParse(target, PORTAL_ORIGIN)) return undefined
  return new URL(target, PORTAL_ORIGIN).origin === PORTAL_ORIGIN ? target : undefined
}

/** Decodes percent-encoded ASCII characters. */
const decodeAsciiEscapes = (text: string): string =>
  text.replaceAll(/%([0-7][0-9a-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
