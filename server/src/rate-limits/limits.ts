import { OperatorError } from '../kit/api-error.ts'

/** A token bucket: `burst` tokens, refilled one by one. */
export interface Limit {
  readonly burst: number
  /** Milliseconds until one token returns. */
  readonly refillMs: number
}

const MINUTE = 60_000

/** The default rate limits (docs/settings.md). */
export const DEFAULT_LIMITS = {
  /** Failed sign-ins of one username: 10 at once, then one a minute. */
  account: { burst: 10, refillMs: MINUTE },
  /** Failed sign-ins by a browser that the account knows: 10 at once, 10 in 15 minutes, independent of everybody else's. */
  device: { burst: 10, refillMs: 1.5 * MINUTE },
  /** Failed sign-ins from one address, and from its network (/24 of IPv4, /48 of IPv6). */
  address: { burst: 30, refillMs: MINUTE / 30 },
  network: { burst: 100, refillMs: MINUTE / 100 },
  /** Refreshes of one session; a repeated refresh with the same successor is not counted. */
  refresh: { burst: 60, refillMs: MINUTE / 60 },
  /** Password reset requests: for one email, and from one address. */
  email: { burst: 3, refillMs: 20 * MINUTE },
  resetRequestAddress: { burst: 10, refillMs: 6 * MINUTE },
  /** Uses of one-time links from one address. */
  link: { burst: 20, refillMs: MINUTE / 20 },
  /** Organization names tried from one address. */
  organization: { burst: 10, refillMs: MINUTE / 10 },
  /** Declined payments and cards of one signed-in user: 10 an hour. */
  payment: { burst: 10, refillMs: 6 * MINUTE },
  /** Declined payments through payment links: from one address at one reseller 10 an hour, on one link 5 a day. */
  linkPayerAddress: { burst: 10, refillMs: 6 * MINUTE },
  linkDeclines: { burst: 5, refillMs: (24 * 60 * MINUTE) / 5 },
  /** Payments through the links of one reseller, while most of its last ones were declined. */
  throttledReseller: { burst: 5, refillMs: 10_000 },
  /** Reads of one payment link. */
  linkReads: { burst: 30, refillMs: 2_000 },
  /** Reports that one user requests: 200 a day. */
  report: { burst: 200, refillMs: (24 * 60 * MINUTE) / 200 },
  /** Requests of one signed-in user. */
  user: { burst: 60, refillMs: 50 },
  /** Requests from one address without a session. */
  anonymous: { burst: 120, refillMs: 50 },
  /** Pages, their files and whatever else is no call of the API, from one address: a screen loads some 25 files. */
  page: { burst: 2_000, refillMs: 5 },
} as const satisfies Record<string, Limit>

type LimitName = keyof typeof DEFAULT_LIMITS

/** The limits that have another name in the setting LIMITS and in stored keys than in the code. */
const SETTING_NAMES: Partial<Record<LimitName, string>> = {
  resetRequestAddress: 'requester',
  organization: 'company',
  linkPayerAddress: 'payer',
  linkDeclines: 'paylink',
  throttledReseller: 'slowmode',
  linkReads: 'paypage',
}

/** The name of a limit in the setting LIMITS and in stored keys: the name in the code, or its entry in SETTING_NAMES. */
export const settingNameOf = (limit: LimitName): string => SETTING_NAMES[limit] ?? limit

/** The limits of an address. Their keys are made in one place, `client-address.ts`. */
export type AddressLimitName =
  | 'address'
  | 'network'
  | 'resetRequestAddress'
  | 'link'
  | 'organization'
  | 'linkPayerAddress'
  | 'anonymous'
  | 'page'
/** The limits of a user, a session, an email, a link: of anything but an address. */
export type SubjectLimitName = Exclude<LimitName, AddressLimitName>
export type Limits = Readonly<Record<LimitName, Limit>>

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: MINUTE, h: 60 * MINUTE }

/**
 * Parses an operator's changes to the limits: `account=20/15m address=60/1m`; a bucket of 20 that refills in 15 minutes.
 * @throws OperatorError when a part is not valid
 */
export const parseLimits = (text: string): Limits => {
  const limits: Record<LimitName, Limit> = { ...DEFAULT_LIMITS }
  const limitNames = Object.keys(limits) as LimitName[]
  for (const part of text.split(/[\s,]+/).filter((word) => word !== '')) {
    const [, name, burst, span, unit] = /^([a-z]+)=(\d+)\/(\d*)([smh])$/.exec(part) ?? []
    const unitMs = UNITS[unit ?? '']
    const limit = limitNames.find((one) => settingNameOf(one) === name)
    if (limit === undefined || unitMs === undefined || Number(burst) < 1 || Number(span || '1') < 1)
      throw new OperatorError(
        `The setting LIMITS is not usable at "${part}": write ${limitNames.map(settingNameOf).join(', ')} as name=count/time, for example account=10/15m.`,
      )
    limits[limit] = { burst: Number(burst), refillMs: (Number(span || '1') * unitMs) / Number(burst) }
  }
  return limits
}
