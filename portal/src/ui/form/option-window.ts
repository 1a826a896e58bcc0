/** More options than anybody reads; typing narrows them down. It keeps a list of thousands as fast as a short one. */
const MAX_SHOWN = 100

/** The options that a list of any length shows: its first ones, or those around the selected one when it comes later. */
export const optionWindow = <Option>(options: readonly Option[], selectedIndex: number): readonly Option[] => {
  const from = selectedIndex < MAX_SHOWN ? 0 : Math.min(selectedIndex - MAX_SHOWN / 2, options.length - MAX_SHOWN)
  return options.slice(from, from + MAX_SHOWN)
}
