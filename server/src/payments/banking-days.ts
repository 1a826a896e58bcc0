import { addMs } from '../kit/clock.ts'

const DAY_MS = 86_400_000

/** The time that is so many banking days (Monday to Friday, UTC) later; bank holidays count as banking days. */
export const addBankingDays = (from: Date, days: number): Date => {
  let at = from
  for (let left = days; left > 0; ) {
    at = addMs(at, DAY_MS)
    if (at.getUTCDay() !== 0 && at.getUTCDay() !== 6) left -= 1
  }
  return at
}
