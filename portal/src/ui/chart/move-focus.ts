import type { KeyboardEvent } from 'react'

/** Where a key leads from one of `count` elements in a row. */
const TARGETS: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowLeft: (at) => Math.max(at - 1, 0),
  ArrowRight: (at, count) => Math.min(at + 1, count - 1),
  Home: () => 0,
  End: (_, count) => count - 1,
}

/** Moves the focus from a part of a drawing to another one beside it: arrows, Home and End. */
export const moveFocus = (event: KeyboardEvent<SVGElement>): void => {
  const target = TARGETS[event.key]
  const elements = [...(event.currentTarget.parentElement?.querySelectorAll<SVGElement>(':scope > [tabindex]') ?? [])]
  const at = elements.indexOf(event.currentTarget)
  if (target === undefined || at === -1) return
  event.preventDefault()
  elements[target(at, elements.length)]?.focus()
}
