import { addMs, type Clock } from '../../kit/clock.ts'
import type { SendPermit } from '../../kit/outgoing-http.ts'

declare const brand: unique symbol

/**
 * Permission to make the one call of a charge that moves money. The engine grants one after it has stored what the charge is found by,
 * while the attempt is this server's to send. It expires before anybody else looks up the attempt, so that a server that stood still sends
 * nothing.
 */
export interface ChargePermit extends SendPermit {
  readonly [brand]: true
}

/** A path that charges nothing: what charges has a function of its own, which needs a permit. */
export type WithoutCharges<Path, ChargePath> = Path extends ChargePath ? never : unknown

/** When the submission of a charge began, and for how long it may be sent. */
export interface SendWindow {
  readonly startedAt: Date
  /**
   * Whether it may still be sent, by the clock on the wall and by the one that never jumps: while a machine is paused, either may stand
   * still.
   */
  isOpen(): boolean
}

/**
 * A window that begins now. The window closes as soon as the wall clock or `elapsed`, a clock that never jumps, says that `durationMs` has
 * passed.
 */
export const openSendWindow = (clock: Clock, durationMs: number, elapsed: () => number = () => performance.now()): SendWindow => {
  const [startedAt, elapsedMs] = [clock(), elapsed()]
  const endsAt = addMs(startedAt, durationMs)
  return { startedAt, isOpen: () => clock() < endsAt && elapsed() - elapsedMs < durationMs }
}

/** A permit that is valid while its window is open. Only submit-charge.ts may call this function, once the fence is passed. */
export const mintChargePermit = ({ isOpen }: SendWindow): ChargePermit => ({ isValid: isOpen }) as ChargePermit
