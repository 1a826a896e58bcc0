/** Returns a predicate: does a label contain the text, ignoring case and accents? */
export const labelContains = (text: string): ((option: { label: string }) => boolean) => {
  const search = normalize(text.trim())
  return ({ label }) => normalize(label).includes(search)
}

/** In small letters and without accents, to be compared. */
const normalize = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/\p{Mn}/gu, '')
    .toLowerCase()
