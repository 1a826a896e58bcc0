import { SECTIONS, type Section } from '@counterfoil/contract/kit/sections'

/** The paths of all screens of the signed-in app. Menu, guards and routes use this list. */
export const SCREEN_PATHS = [
  '/dashboard',
  '/spending',
  '/invoices',
  '/usage',
  '/transactions',
  '/reports',
  '/cost-centre',
  '/service-items',
  '/profile',
  '/settings',
  '/payment-types',
  '/payment-result',
  '/bulk-pay',
] as const

export type ScreenPath = (typeof SCREEN_PATHS)[number]

export const DASHBOARD_PATH = '/dashboard'
export const INVOICES_PATH = '/invoices'
export const SPENDING_PATH = '/spending'
export const USAGE_PATH = '/usage'
export const TRANSACTIONS_PATH = '/transactions'
export const PROFILE_PATH = '/profile'
export const SETTINGS_PATH = '/settings'
export const PAYMENT_TYPES_PATH = '/payment-types'
export const BULK_PAY_PATH = '/bulk-pay'
export const LOGOUT_PATH = '/logout'
/** Preloads the data of the first screens, then redirects. */
export const REDIRECT_LOADER_PATH = '/redirect-loader'

/** The URL path of the page that pays one invoice without signing in. */
export const payPath = (payToken: string): string => `/pay/${encodeURIComponent(payToken)}`

/** The invoices that are still to be paid. */
export const UNPAID_INVOICES_PATH = `${INVOICES_PATH}?status=unpaid`

/** Whether the URL path is exactly that of a screen of the signed-in app. */
export const isScreenPath = (path: string): path is ScreenPath => SCREEN_PATHS.some((screenPath) => screenPath === path)

/** Screens below a section's own, which are there where the section is and have no menu entry. */
const SUB_PAGES: Readonly<Record<string, ScreenPath>> = { [SPENDING_PATH]: DASHBOARD_PATH }

/** The section that a URL path belongs to; undefined for paths that no brand flag can disable. */
export const sectionOf = (path: string): Section | undefined => SECTIONS.find((section) => section.route === (SUB_PAGES[path] ?? path))
