import { type RefObject, useLayoutEffect, useState } from 'react'

/** Room for the button that opens the rest, in pixels. */
const MORE_WIDTH = 92

/**
 * How many links of a row fit into its width, beside a button for the rest where not all do. Measured again when the row or a link
 * becomes wider or narrower, as by a label or a font that arrives. The row must keep its links.
 */
export const useFittingCount = (row: RefObject<HTMLElement | null>): number => {
  const [count, setCount] = useState(Number.POSITIVE_INFINITY)

  useLayoutEffect(() => {
    const element = row.current
    if (element === null) return undefined
    const measure = (): void => setCount(countFitting(element))
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    for (const link of element.querySelectorAll('a')) observer.observe(link)
    return () => observer.disconnect()
  }, [row])

  return count
}

/** How many of the row's links fit, measured now: all, or as many as leave room for the button for the rest. */
const countFitting = (row: HTMLElement): number => {
  const widths = [...row.querySelectorAll('a')].map((link) => link.offsetWidth + gapOf(row))
  const sum = widths.reduce((total, width) => total + width, 0)
  if (sum <= row.clientWidth) return widths.length
  let left = row.clientWidth - MORE_WIDTH
  return widths.findIndex((width) => (left -= width) < 0)
}

/** The gap between the row's links in pixels. */
const gapOf = (row: HTMLElement): number => Number.parseFloat(getComputedStyle(row).columnGap) || 0
