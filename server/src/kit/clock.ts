/** Gives the present; tests pass one that they advance. */
export type Clock = () => Date

export const systemClock: Clock = () => new Date()

/** The instant this many milliseconds later. */
export const addMs = (instant: Date, ms: number): Date => new Date(instant.getTime() + ms)

/** The instant that a text of ISO 8601 names. */
export const parseInstant = (text: string): Date => new Date(text)
