/** Where the present comes from; tests hand in one that they move. */
export type Clock = () => Date

export const systemClock: Clock = () => new Date()

/** An instant so many milliseconds later. */
export const addMs = (instant: Date, ms: number): Date => new Date(instant.getTime() + ms)
