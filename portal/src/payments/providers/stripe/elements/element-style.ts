import type { StripeElementStyle } from '@stripe/stripe-js'
import { useMemo, useSyncExternalStore } from 'react'

/** The page's text, muted and error colour in one string, so that a change can be detected. */
const currentColours = (): string => {
  const style = getComputedStyle(document.documentElement)
  return ['--text', '--muted', '--bad'].map((name) => style.getPropertyValue(name).trim()).join(' ')
}

/** Calls `onChange` when the colour scheme or the brand's colours change; returns a function that stops it. */
const subscribe = (onChange: () => void): (() => void) => {
  const dark = matchMedia('(prefers-color-scheme: dark)')
  const brand = new MutationObserver(onChange)
  dark.addEventListener('change', onChange)
  brand.observe(document.documentElement, { attributeFilter: ['style'] })
  return () => {
    dark.removeEventListener('change', onChange)
    brand.disconnect()
  }
}

/** The style of Stripe's fields, whose frames do not have the page's styles. Follows brand and colour scheme. */
export const useElementStyle = (): StripeElementStyle => {
  const colours = useSyncExternalStore(subscribe, currentColours)
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
