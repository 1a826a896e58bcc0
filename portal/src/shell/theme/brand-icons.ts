import { brands } from '@counterfoil/contract/brands'
import { pathOf } from '@counterfoil/contract/kit/http/endpoint'

/** Gives the document the icons of a brand that is not the host's: of the person who signed in, or of an invoice. */
export const applyBrandIcons = (id: number): void => {
  setIcon('icon', pathOf(brands.image, { id, kind: 'icon' }))
  setIcon('apple-touch-icon', pathOf(brands.image, { id, kind: 'touch-icon' }))
}

/** Changes the address in the document's link element of this `rel`. */
const setIcon = (rel: string, href: string): void => document.querySelector(`link[rel=${rel}]`)?.setAttribute('href', href)
