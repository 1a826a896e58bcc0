import { useCallback, useEffect, useState } from 'react'

const SHOWN_MS = 5_000

/** A text, and a function that shows one, which disappears after `SHOWN_MS`. */
export const useBriefText = (): readonly [text: string | null, show: (text: string) => void] => {
  const [shown, setShown] = useState<{ readonly text: string } | null>(null)
  useEffect(() => {
    if (shown === null) return undefined
    const timer = setTimeout(() => setShown(null), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [shown])
  return [shown?.text ?? null, useCallback((text: string) => setShown({ text }), [])]
}
