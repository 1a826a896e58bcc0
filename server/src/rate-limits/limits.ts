import { OperatorError } from '../kit/api-error.ts'

/** A token bucket: so many at once, refilled one by one over the time given. */
export interface Limit {
  readonly burst: number
  /** Milliseconds until one more is allowed. */
  readonly refillMs: number
}

const MINUTE = 60_000

/** The defaults of reliability.md §4.6, of what this server can be asked so far. */
export const DEFAULT_LIMITS = {
  /** Failed sign-ins of one username: 10 in 15 minutes, then one a minute. */
  account: { burst: 10, refillMs: MINUTE },
  /** Failed sign-ins by a browser that the account knows: 10 in 15 minutes, whatever strangers do. */
  device: { burst: 10, refillMs: 1.5 * MINUTE },
  /** Failed sign-ins from one address, and from its network (/24, or /48 of IPv6). */
  address: { burst: 30, refillMs: MINUTE / 30 },
  network: { burst: 100, refillMs: MINUTE / 100 },
  /** Refreshes of one session; an answer that repeats the same successor is not counted. */
  refresh: { burst: 60, refillMs: MINUTE / 60 },
  /** Requests for a new password: for one email, and from one address. */
  email: { burst: 3, refillMs: 20 * MINUTE },
  requester: { burst: 10, refillMs: 6 * MINUTE },
  /** Uses of one-time links from one address. */
  link: { burst: 20, refillMs: MINUTE / 20 },
  /** Company names tried from one address. */
  company: { burst: 10, refillMs: MINUTE / 10 },
  /** Payments through payment links that failed, from one address: trying out stolen cards. */
  payment: { burst: 20, refillMs: 3 * MINUTE },
  /** Reports that one user asks for: 200 a day. */
  report: { burst: 200, refillMs: (24 * 60 * MINUTE) / 200 },
  /** Calls of one signed-in user. */
  user: { burst: 60, refillMs: 50 },
  /** Calls of one address that is not signed in. */
  anonymous: { burst: 120, refillMs: 50 },
} as const satisfies Record<string, Limit>

export type LimitName = keyof typeof DEFAULT_LIMITS
export type Limits = Readonly<Record<LimitName, Limit>>

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: MINUTE, h: 60 * MINUTE }

/**
 * The limits with an operator's changes: `account=20/15m address=60/1m`; a bucket of 20 that refills in 15 minutes.
 * @throws OperatorError when a part is not understood
 */
export const parseLimits = (text: string): Limits => {
  const limits: Record<LimitName, Limit> = { ...DEFAULT_LIMITS }
  for (const part of text.split(/[\s,]+/).filter((word) => word !== '')) {
    const [, name, burst, span, unit] = /^([a-z]+)=(\d+)\/(\d*)([smh])$/.exec(part) ?? []
    const unitMs = UNITS[unit ?? '']
    if (name === undefined || !Object.hasOwn(limits, name) || unitMs === undefined || Number(burst) < 1 || Number(span || '1') < 1)
      throw new OperatorError(
        `The setting LIMITS is not usable at "${part}": write ${Object.keys(limits).join(', ')} as name=count/time, for example account=10/15m.`,
      )
    limits[name as LimitName] = { burst: Number(burst), refillMs: (Number(span || '1') * unitMs) / Number(burst) }
  }
  return limits
}
