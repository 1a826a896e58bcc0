import type { StripeElementStyle } from '@stripe/stripe-js'
import { useMemo, useSyncExternalStore } from 'react'

/** The colours that a frame of the payment company needs, in one text: a changed text is a changed look. */
const coloursNow = (): string => {
  const style = getComputedStyle(document.documentElement)
  return ['--text', '--muted', '--bad'].map((name) => style.getPropertyValue(name).trim()).join(' ')
}

const subscribe = (changed: () => void): (() => void) => {
  const dark = matchMedia('(prefers-color-scheme: dark)')
  const brand = new MutationObserver(changed)
  dark.addEventListener('change', changed)
  brand.observe(document.documentElement, { attributeFilter: ['style'] })
  return () => {
    dark.removeEventListener('change', changed)
    brand.disconnect()
  }
}

/** How the payment company's fields look: they stand in frames that know none of the page's styles. Follows brand and scheme. */
export const useStripeLook = (): StripeElementStyle => {
  const colours = useSyncExternalStore(subscribe, coloursNow)
  return useMemo(() => {
    const [text = '', muted = '', bad = ''] = colours.split(' ')
    return {
      base: {
        color: text,
        iconColor: muted,
        fontFamily: 'Inter, system-ui, sans-serif',
        fontSize: '16px',
        '::placeholder': { color: muted },
      },
      invalid: { color: bad, iconColor: bad },
    }
  }, [colours])
}
