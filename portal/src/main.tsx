import { App } from './app.tsx'
import { preloadScreen } from './routes.tsx'
import { renderPage } from './ui/render-page.ts'
import { applyStoredBrand } from './shell/theme/brand-theme.ts'
import { createQueryClient } from './api/query-client.ts'
import { onSessionChange, onStaleRestore, isSignedIn } from './api/session.ts'
import './shell/theme/tokens.css'

/** Starts the signed-in app. The page reloads when another tab changes the session. */
const openApp = (): void => {
  applyStoredBrand()
  preloadScreen(location.pathname)
  onSessionChange(() => location.reload())
  const queryClient = createQueryClient()
  onStaleRestore(() => location.reload())
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted && isSignedIn()) void queryClient.invalidateQueries() // a restored page may be older than the last payment
  })
  renderPage(<App queryClient={queryClient} />)
}

openApp()
