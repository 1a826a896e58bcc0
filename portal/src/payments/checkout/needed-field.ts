/** A field that is not filled in yet, or not right, as a sentence names it; false when nothing is wrong with it. */
export const neededField = (name: string, typed: string, isValid = typed.trim() !== ''): string | false =>
  !isValid && (typed.trim() === '' ? name : `a valid ${name}`)
