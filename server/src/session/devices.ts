import { timingSafeEqual } from 'node:crypto'
import type { Keys } from '../kit/keys.ts'
import type { RequestInfo } from './request-info.ts'
import { newSecret } from './tokens.ts'

const DEVICE_COOKIE = 'counterfoil-device'
const YEAR_SECONDS = 365 * 24 * 3_600
const COOKIE_PATTERN = /^([\w-]{43})\.([\w-]{43})$/

/**
 * Reads the browser's own id from its cookie; undefined unless it has signed this user in before, or set the user's password by a mailed
 * link. Its attempts are counted apart, so that attackers who use up the account's attempts do not lock it out (docs/decisions/0010).
 */
export const readDeviceId = (keys: Keys, requestInfo: RequestInfo, userId: string): string | undefined => {
  const [, nonce = '', seal = ''] = COOKIE_PATTERN.exec(requestInfo.cookie(DEVICE_COOKIE) ?? '') ?? []
  return nonce !== '' && timingSafeEqual(Buffer.from(seal, 'base64url'), deviceMac(keys, userId, nonce)) ? nonce : undefined
}

/** Whether the browser has a device cookie. Checked before the user is looked up, so that response times reveal nothing about accounts. */
export const hasDeviceCookie = (requestInfo: RequestInfo): boolean => COOKIE_PATTERN.test(requestInfo.cookie(DEVICE_COOKIE) ?? '')

/** Makes the browser known to the user's account for a year, by a cookie of the response alone. The cookie does not reveal the user. */
export const rememberDevice = (keys: Keys, requestInfo: RequestInfo, userId: string): void => {
  const nonce = readDeviceId(keys, requestInfo, userId) ?? newSecret()
  requestInfo.setCookie(DEVICE_COOKIE, `${nonce}.${deviceMac(keys, userId, nonce).toString('base64url')}`, YEAR_SECONDS)
}

/** The seal of a device cookie: a keyed hash of the user and the cookie's random part. */
const deviceMac = (keys: Keys, userId: string, nonce: string): Buffer => keys.mac('device', userId, nonce)
