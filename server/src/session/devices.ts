import { timingSafeEqual } from 'node:crypto'
import type { Keys } from '../kit/keys.ts'
import type { RequestInfo } from '../http/request-context.ts'
import { newSecret } from './tokens.ts'

const DEVICE_COOKIE = 'counterfoil-device'
const YEAR_SECONDS = 365 * 24 * 3_600
const COOKIE_PATTERN = /^([\w-]{43})\.([\w-]{43})$/

/**
 * The browser's own number, when it has signed this user in before, or set their password by a mailed link. Its tries are counted apart:
 * strangers who use up the account's tries do not keep it out (docs/decisions/0037).
 */
export const knownDevice = (keys: Keys, requestInfo: RequestInfo, userId: string): string | undefined => {
  const [, nonce = '', seal = ''] = COOKIE_PATTERN.exec(requestInfo.cookie(DEVICE_COOKIE) ?? '') ?? []
  return nonce !== '' && timingSafeEqual(Buffer.from(seal, 'base64url'), deviceMac(keys, userId, nonce)) ? nonce : undefined
}

/** May the visitor have a known device at all? Asked before the user is looked up, so that strangers are told nothing by the time it takes. */
export const hasDeviceCookie = (requestInfo: RequestInfo): boolean => COOKIE_PATTERN.test(requestInfo.cookie(DEVICE_COOKIE) ?? '')

/** Makes the visitor's browser one that the user's account knows, for a year from now. It says nothing of who the user is. */
export const rememberDevice = (keys: Keys, requestInfo: RequestInfo, userId: string): void => {
  const nonce = knownDevice(keys, requestInfo, userId) ?? newSecret()
  requestInfo.setCookie(DEVICE_COOKIE, `${nonce}.${deviceMac(keys, userId, nonce).toString('base64url')}`, YEAR_SECONDS)
}

const deviceMac = (keys: Keys, userId: string, nonce: string): Buffer => keys.mac('device', userId, nonce)
