import { type FocusEvent, type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import styles from './scroll-region.module.css'

interface Hidden {
  readonly before: boolean
  readonly after: boolean
}

const NOTHING: Hidden = { before: false, after: false }

/**
 * A table that scrolls sideways where it does not fit: a shadow lies where more of it is, and the keyboard reaches it under a name.
 * Where it fits, it is no scroll container, so that its header can stick to the window.
 */
export const ScrollRegion = ({ label, children }: { label: string; children: ReactNode }) => {
  const regionRef = useRef<HTMLDivElement>(null)
  const [hidden, setHidden] = useState(NOTHING)
  const scrolls = hidden.before || hidden.after

  useLayoutEffect(() => {
    const region = regionRef.current
    if (region === null) return undefined
    const measure = (): void => {
      const { before, after } = hiddenParts(region)
      setHidden((last) => (last.before === before && last.after === after ? last : { before, after }))
    }
    const observer = new ResizeObserver(measure)
    for (const element of [region, ...region.children]) observer.observe(element)
    region.addEventListener('scroll', measure, { passive: true })
    measure()
    return () => {
      observer.disconnect()
      region.removeEventListener('scroll', measure)
    }
  }, [])

  return (
    <div className={styles.frame} data-before={hidden.before || undefined} data-after={hidden.after || undefined}>
      <div
        ref={regionRef}
        className={styles.region}
        data-scrolls={scrolls || undefined}
        onFocus={scrolls ? uncoverFocused : undefined}
        {...(scrolls && { role: 'region', tabIndex: 0, 'aria-label': `${label}, scrolls sideways` })}
      >
        {children}
      </div>
    </div>
  )
}

/** Scrolls the region so that what gets the focus is not covered by the names and the buttons, which stay while the rest scrolls. */
const uncoverFocused = ({ currentTarget: region, target }: FocusEvent<HTMLElement>): void => {
  const cell = target.closest('td, th')
  if (cell === null || getComputedStyle(cell).insetInlineStart !== 'auto' || cell.matches('[data-actions]')) return
  const { left, right } = target.getBoundingClientRect()
  const names = region.querySelector('tbody th')?.getBoundingClientRect()
  const actions = region.querySelector('[data-actions]')?.getBoundingClientRect()
  if (names && left < names.right) region.scrollLeft -= names.right - left
  else if (actions && right > actions.left) region.scrollLeft += right - actions.left
}

/** On which side of the region a part of its content cannot be seen. Positions can be fractions of a pixel. */
const hiddenParts = ({ scrollLeft, scrollWidth, clientWidth }: HTMLElement): Hidden => {
  const offset = Math.abs(scrollLeft)
  return { before: offset >= 1, after: scrollWidth - clientWidth - offset >= 1 }
}
