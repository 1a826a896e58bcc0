import { type ComponentType, lazy, Suspense } from 'react'
import { Outlet, Route, Routes } from 'react-router'
import { RedirectLoaderPage } from './areas/redirect-loader/redirect-loader-page.tsx'
import { Frame } from './shell/frame.tsx'
import { Logout } from './shell/account/logout.tsx'
import { NotFound } from './shell/navigation/not-found.tsx'
import { SCREEN_PATHS, type ScreenPath, isScreenPath, REDIRECT_LOADER_PATH, LOGOUT_PATH } from './shell/navigation/paths.ts'
import { loadModule } from './api/load-module.ts'
import { RequireSession } from './shell/account/require-session.tsx'
import { EnsurePaymentCsp } from './shell/navigation/ensure-payment-csp.tsx'
import { HomeRedirect, SectionGuard } from './shell/navigation/sections.tsx'
import { isSignedIn } from './api/session.ts'

type ScreenLoader = () => Promise<{ default: ComponentType }>

/** Each screen is a chunk of its own, loaded when it is first opened. */
const SCREEN_LOADERS: Readonly<Record<ScreenPath, ScreenLoader>> = {
  // Spending shares most of its code with the dashboard's tile, so that both are one chunk.
  '/dashboard': async () => ({ default: (await import('./areas/dashboard/dashboard-screens.ts')).DashboardPage }),
  '/spending': async () => ({ default: (await import('./areas/dashboard/dashboard-screens.ts')).SpendingPage }),
  '/invoices': async () => ({ default: (await import('./areas/invoices/invoices-page.tsx')).InvoicesPage }),
  '/usage': async () => ({ default: (await import('./areas/usage/usage-page.tsx')).UsagePage }),
  '/transactions': async () => ({ default: (await import('./areas/transactions/transactions-page.tsx')).TransactionsPage }),
  '/reports': async () => ({ default: (await import('./areas/reports/reports-page.tsx')).ReportsPage }),
  '/cost-centre': async () => ({ default: (await import('./areas/cost-centre/cost-centre-page.tsx')).CostCentrePage }),
  '/service-items': async () => ({ default: (await import('./areas/service-items/service-items-page.tsx')).ServiceItemsPage }),
  '/payment-types': async () => ({ default: (await import('./areas/payment-methods/payment-methods-page.tsx')).PaymentMethodsPage }),
  '/payment-result': async () => ({ default: (await import('./areas/bulk-payment/payment-result-page.tsx')).PaymentResultPage }),
  '/bulk-pay': async () => ({ default: (await import('./areas/bulk-payment/bulk-payment-page.tsx')).BulkPaymentPage }),
  '/profile': async () => ({ default: (await import('./areas/profile/profile-page.tsx')).ProfilePage }),
  '/settings': async () => ({ default: (await import('./areas/settings/settings-page.tsx')).SettingsPage }),
}

const SCREENS = SCREEN_PATHS.map((path) => ({ path, Screen: lazy(() => loadModule(SCREEN_LOADERS[path])) }))

/** Starts loading the code of the screen at this URL path, in parallel to the first requests. A failure is ignored. */
export const preloadScreen = (path: string): void => {
  // A failure here happens again, and is reported, when the screen renders.
  if (isScreenPath(path)) SCREEN_LOADERS[path]().catch(() => undefined)
}

/** Every path of the app. An unknown path shows the not-found screen even without a session; all others need one. */
export const AppRoutes = () => {
  const unknown = <Route path="*" element={isSignedIn() ? <NotFound /> : <SignedOutNotFound />} />
  return (
    <Routes>
      <Route path={LOGOUT_PATH} element={<Logout />} />
      <Route
        path={REDIRECT_LOADER_PATH}
        element={
          <RequireSession>
            <RedirectLoaderPage />
          </RequireSession>
        }
      />
      <Route element={<SignedIn />}>
        <Route index element={<HomeRedirect />} />
        {SCREENS.map(({ path, Screen }) => (
          <Route
            key={path}
            path={path}
            element={
              <SectionGuard path={path}>
                <Screen />
              </SectionGuard>
            }
          />
        ))}
        {isSignedIn() && unknown}
      </Route>
      {!isSignedIn() && unknown}
    </Routes>
  )
}

/** The frame of the screens, for signed-in users; others go to the sign-in page. */
const SignedIn = () => (
  <RequireSession>
    <Frame>
      <EnsurePaymentCsp>
        <Outlet />
      </EnsurePaymentCsp>
    </Frame>
  </RequireSession>
)

const NotFoundPage = lazy(() => loadModule(async () => ({ default: (await import('./public/not-found-page.tsx')).NotFoundPage })))

/** The not-found page for people who are not signed in. */
const SignedOutNotFound = () => (
  <Suspense>
    <NotFoundPage />
  </Suspense>
)
