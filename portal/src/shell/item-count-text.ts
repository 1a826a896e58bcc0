import { formatNumber } from '../format/format.ts'

/** How many service items are shown: "75 items", "12 of 75 items"; of more than a response holds, "the first 50,000 items". */
export const itemCountText = (shown: number, all: number, maxLoaded: number): string => {
  const of = `${all >= maxLoaded ? 'the first ' : ''}${formatNumber(all)} ${all === 1 ? 'item' : 'items'}`
  return shown === all ? of : `${formatNumber(shown)} of ${of}`
}
