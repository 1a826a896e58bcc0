/** More rows than anybody reads; typing narrows them down. It keeps lists of thousands as quick as short ones. */
const SHOWN_AT_MOST = 100

/** The entries that a list shows, and which of them is marked. */
export interface PickerWindow<Entry> {
  readonly shown: readonly Entry[]
  readonly marked: number
}

/** What a list of any length shows when it opens: its beginning, or the neighbourhood of the chosen entry where that stands further behind. */
export const pickerWindow = <Entry>(entries: readonly Entry[], chosenAt: number): PickerWindow<Entry> => {
  const from = chosenAt < SHOWN_AT_MOST ? 0 : Math.min(chosenAt - SHOWN_AT_MOST / 2, entries.length - SHOWN_AT_MOST)
  return { shown: entries.slice(from, from + SHOWN_AT_MOST), marked: Math.max(0, chosenAt - from) }
}
