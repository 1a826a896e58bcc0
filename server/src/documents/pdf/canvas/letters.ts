const clusters = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** The letters of a text as a reader sees them (graphemes): a base with its marks is one. */
export const lettersOf = (text: string): readonly string[] => Array.from(clusters.segment(text), ({ segment }) => segment)
