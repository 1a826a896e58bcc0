import { useEffect, useState } from 'react'

const BRIEF_MS = 2_500

/** True for a moment after `event` becomes another thing than undefined: long enough to see that something is done. */
export const useBriefly = (event: unknown): boolean => {
  const [seen, setSeen] = useState<unknown>(undefined)
  useEffect(() => {
    if (event === undefined) return undefined
    const timer = setTimeout(() => setSeen(event), BRIEF_MS)
    return () => clearTimeout(timer)
  }, [event])
  return event !== undefined && seen !== event
}
