import { SECTIONS, type Section } from '@counterfoil/contract/kit/sections'

/** The paths of all screens of the signed-in app. Menu, guards and routes use this list. */
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
/** Preloads the data of the first screens, then redirects. */
export const REDIRECT_LOADER_PATH = '/redirect-loader'

/** The page to pay one invoice without signing in. */
export const payPath = (payToken: string): string => `/pay/${encodeURIComponent(payToken)}`

export const isScreenPath = (path: string): path is ScreenPath => SCREEN_PATHS.some((screenPath) => screenPath === path)

/** The section of a path; undefined for paths that no brand flag can disable. */
export const sectionOf = (path: string): Section | undefined => SECTIONS.find((section) => section.route === path)
