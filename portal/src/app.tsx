import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { I18nProvider } from 'react-aria-components/I18nProvider'
import { BrowserRouter } from 'react-router'
import { AppRoutes } from './routes.tsx'
import { ErrorBoundary } from './shell/failures/error-boundary.tsx'
import { pageLocale } from './format/locale.ts'

/** The signed-in app: error boundary, locale, queries and router around the routes. */
export const App = ({ queryClient }: { queryClient: QueryClient }) => (
  <ErrorBoundary>
    <I18nProvider locale={pageLocale()}>
      <QueryClientProvider client={queryClient}>
        <BrowserRouter>
          <AppRoutes />
        </BrowserRouter>
      </QueryClientProvider>
    </I18nProvider>
  </ErrorBoundary>
)
