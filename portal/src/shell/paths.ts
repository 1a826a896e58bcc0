import { SECTIONS, type Section } from '@counterfoil/contract/kit/sections'

/** Addresses of the signed-in app whose screens exist; menu, guards and routes read this one list. */
export const BUILT = [
  '/dashboard',
  '/invoices',
  '/usage',
  '/transactions',
  '/reports',
  '/cost-centre',
  '/service-items',
  '/settings',
  '/payment-types',
  '/payment-result',
  '/bulk-pay',
] as const

export type BuiltPath = (typeof BUILT)[number]

export const DASHBOARD = '/dashboard'
export const INVOICES = '/invoices'
export const SETTINGS = '/settings'
export const PAYMENT_TYPES_PATH = '/payment-types'
export const BULK_PAY = '/bulk-pay'
export const LOGOUT = '/logout'
/** Loads what the first screens show, and goes on. */
export const LOADER = '/redirect-loader'

/** The page on which one invoice is paid, by its token alone. */
export const payPath = (payToken: string): string => `/pay/${encodeURIComponent(payToken)}`

export const isBuilt = (path: string): path is BuiltPath => BUILT.some((built) => built === path)

/** The section that an address belongs to; undefined for addresses that no brand flag closes. */
export const sectionOf = (path: string): Section | undefined => SECTIONS.find((section) => section.route === path)
