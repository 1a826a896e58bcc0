/** Does a label contain the text, whatever the case and the accents? */
export const labelsContain = (text: string): ((option: { label: string }) => boolean) => {
  const wanted = plain(text.trim())
  return ({ label }) => plain(label).includes(wanted)
}

const plain = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/\p{Mn}/gu, '')
    .toLowerCase()
