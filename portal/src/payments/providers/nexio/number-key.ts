import { ShownError } from '../../../api/api-error.ts'

/** A provider's RSA key, with which a number is encrypted so that only the provider can read it. */
export interface NumberKey {
  readonly modulus: bigint
  readonly exponent: bigint
  readonly bytes: number
}

/** The text of a page whose gateway has no usable key. */
export const NO_KEY_TEXT = "The payment gateway isn't configured properly. Please contact support if the issue persists."

/** Reads a public key: SPKI in base64, with or without its PEM frame. Null for everything else. */
export const readNumberKey = async (spki: string | null): Promise<NumberKey | null> => {
  try {
    const base64 = (spki ?? '').replaceAll(/-----[A-Z ]+-----|\s/g, '')
    const algorithm = { name: 'RSA-OAEP', hash: 'SHA-256' }
    // The browser reads the key; it has no PKCS #1 v1.5, so that the padding is made here.
    const key = await crypto.subtle.importKey('spki', toBytes(atob(base64)), algorithm, true, ['encrypt'])
    const { n = '', e = '' } = await crypto.subtle.exportKey('jwk', key)
    const modulus = fromBase64Url(n)
    return modulus.length < MIN_KEY_BYTES
      ? null
      : { modulus: toBigInt(modulus), exponent: toBigInt(fromBase64Url(e)), bytes: modulus.length }
  } catch {
    return null
  }
}

const MIN_KEY_BYTES = 256
/** PKCS #1 v1.5 (RFC 8017, 7.2.1): 00 02, at least eight random bytes that are not 0, 00, the text. */
const MIN_PADDING_BYTES = 8

/**
 * Encrypts digits with RSA and PKCS #1 v1.5, in base64.
 * @throws ShownError with a text to show when the key cannot take them
 */
export const encryptDigits = ({ modulus, exponent, bytes }: NumberKey, digits: string): string => {
  const paddingBytes = bytes - 3 - digits.length
  if (!/^\d+$/.test(digits) || paddingBytes < MIN_PADDING_BYTES) throw new ShownError(NO_KEY_TEXT)
  const block = new Uint8Array(bytes)
  block.set([0, 2, ...randomNonZero(paddingBytes), 0])
  block.set(toBytes(digits), bytes - digits.length)
  return btoa(String.fromCharCode(...fromBigInt(power(toBigInt(block), exponent, modulus), bytes)))
}

/** `count` random bytes, none of which is zero. */
const randomNonZero = (count: number): number[] => {
  const found: number[] = []
  while (found.length < count) found.push(...crypto.getRandomValues(new Uint8Array(count)).filter((byte) => byte !== 0))
  return found.slice(0, count)
}

/** `base` to the power of `exponent`, modulo `modulus`. */
const power = (base: bigint, exponent: bigint, modulus: bigint): bigint => {
  let result = 1n
  for (let [square, rest] = [base % modulus, exponent]; rest > 0n; rest >>= 1n, square = (square * square) % modulus)
    if ((rest & 1n) === 1n) result = (result * square) % modulus
  return result
}

/** One byte for each character, whose code must be below 256. */
const toBytes = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0))
/** The bytes of a base64url text. */
const fromBase64Url = (text: string) => toBytes(atob(text.replaceAll('-', '+').replaceAll('_', '/')))
/** The bytes in hexadecimal. */
const toHex = (bytes: Uint8Array): string => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
/** The unsigned number that the bytes spell, the highest byte first. @throws SyntaxError without any byte */
const toBigInt = (bytes: Uint8Array): bigint => BigInt(`0x${toHex(bytes)}`)
/** The bytes that write a number, the highest first, with zeros in front up to `bytes`. */
const fromBigInt = (value: bigint, bytes: number): number[] =>
  (
    value
      .toString(16)
      .padStart(bytes * 2, '0')
      .match(/../g) ?? []
  ).map((hex) => Number.parseInt(hex, 16))
