/** Gives the present; tests pass one that they advance. */
export type Clock = () => Date

/** The present by this machine's clock. */
export const systemClock: Clock = () => new Date()

/** The instant this many milliseconds later. */
export const addMs = (instant: Date, ms: number): Date => new Date(instant.getTime() + ms)

/** The instant that a text names, such as "2026-11-23T10:00:00Z"; null for one that names none. */
export const parseInstant = (text: string): Date | null => {
  const instant = new Date(text)
  return Number.isNaN(instant.getTime()) ? null : instant
}
