const clusters = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** What a reader sees as one letter each: a base with its marks. */
export const lettersOf = (text: string): readonly string[] => Array.from(clusters.segment(text), ({ segment }) => segment)
