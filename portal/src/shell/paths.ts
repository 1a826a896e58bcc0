import { SECTIONS, type Section } from '@counterfoil/contract/kit/sections'

/** Addresses of the signed-in app whose screens exist; menu, guards and routes read this one list. */
export const SCREEN_PATHS = [
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

export type ScreenPath = (typeof SCREEN_PATHS)[number]

export const DASHBOARD_PATH = '/dashboard'
export const INVOICES_PATH = '/invoices'
export const SETTINGS_PATH = '/settings'
export const PAYMENT_TYPES_PATH = '/payment-types'
export const BULK_PAY_PATH = '/bulk-pay'
export const LOGOUT_PATH = '/logout'
/** Loads what the first screens show, and goes on. */
export const REDIRECT_LOADER_PATH = '/redirect-loader'

/** The page on which one invoice is paid, by its token alone. */
export const payPath = (payToken: string): string => `/pay/${encodeURIComponent(payToken)}`

export const isScreenPath = (path: string): path is ScreenPath => SCREEN_PATHS.some((screenPath) => screenPath === path)

/** The section that an address belongs to; undefined for addresses that no brand flag closes. */
export const sectionOf = (path: string): Section | undefined => SECTIONS.find((section) => section.route === path)
